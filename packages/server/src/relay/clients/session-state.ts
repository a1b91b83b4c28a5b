import type { ChromeEvent } from "../events/chrome-event.js";
import type { CdpMessage } from "../wire/messages.js";
import { HeldCommands } from "./held-commands.js";

/**
 * The life of a client's session on a page:
 *
 * - `lazy`: no command has needed the page yet. The relay answers everything itself.
 * - `attaching`: the debugger is being attached. Commands wait in `queue`, events in `held`.
 * - `attached`: commands and events pass.
 * - `detached`: the client or the target is gone. Nothing is sent to it.
 */
export type SessionState =
  | { readonly name: "lazy" }
  | { readonly name: "attaching"; readonly queue: HeldCommands; readonly held: ChromeEvent[] }
  | { readonly name: "attached" }
  | { readonly name: "detached" };

/** A new state, and the commands and events that were waiting in the old one. */
export interface Transition {
  readonly state: SessionState;
  readonly queue: readonly CdpMessage[];
  readonly held: readonly ChromeEvent[];
}

export const LAZY: SessionState = { name: "lazy" };
export const ATTACHED: SessionState = { name: "attached" };
const DETACHED: SessionState = { name: "detached" };

/** A command needs the page. `held` are the events that the session missed because others are attached already. */
export function beginAttach(
  state: SessionState,
  first: CdpMessage,
  held: readonly ChromeEvent[],
): SessionState {
  if (state.name !== "lazy") throw new Error(`cannot attach a session that is ${state.name}`);
  return { name: "attaching", queue: new HeldCommands(first), held: [...held] };
}

/** The debugger is attached, and the page has answered. */
export function completeAttach(state: SessionState): Transition {
  if (state.name !== "attaching") throw new Error(`cannot complete a session that is ${state.name}`);
  return { state: ATTACHED, queue: state.queue.messages, held: state.held };
}

/** The debugger could not be attached: the next command tries again. */
export function failAttach(state: SessionState): Transition {
  if (state.name !== "attaching") throw new Error(`cannot fail a session that is ${state.name}`);
  return { state: LAZY, queue: state.queue.messages, held: [] };
}

/** The debugger left a page that is still open. A session that is attaching stays so: its attaching will fail. */
export function loseDebugger(state: SessionState): SessionState {
  return state.name === "attached" ? LAZY : state;
}

/** The client left, or its target is gone. */
export function detach(_state: SessionState): SessionState {
  return DETACHED;
}
