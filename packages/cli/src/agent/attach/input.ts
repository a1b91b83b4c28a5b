import { stripControlCharacters } from "@debug-bridge/protocol";
import { type AgentCommand, KEY_ACTIONS, type KeyAction } from "./keys.js";
import type { AgentView } from "./view.js";

/** What the person is doing on the screen. */
export interface ScreenInput {
  /** The command whose words are being typed. */
  readonly asking: KeyAction | undefined;
  readonly words: string;
  /** What was wrong with the last command, before it was given. */
  readonly wrong: string;
  /** How many events the timeline is scrolled back. */
  readonly back: number;
  /** Whether all of one event is shown instead of the timeline. */
  readonly details: boolean;
}

export const NO_INPUT: ScreenInput = { asking: undefined, words: "", wrong: "", back: 0, details: false };

/** A key: a character, or one of those without. */
export type Press =
  | string
  | { readonly key: "enter" | "escape" | "backspace" | "up" | "down" | "pageUp" | "pageDown" };

export interface Pressed {
  readonly input: ScreenInput;
  readonly command?: AgentCommand;
  readonly quit?: true;
}

/** What a key does. `lines` is how many events the timeline shows. */
export function press(input: ScreenInput, pressed: Press, view: AgentView, lines: number): Pressed {
  if (input.asking) return typing(input, input.asking, pressed, view);
  if (typeof pressed !== "string")
    return { input: { ...input, back: scrolled(input.back, pressed.key, view, input.details ? 1 : lines) } };
  if (pressed === "q") return { input, quit: true };
  if (pressed === "v") return { input: { ...input, details: !input.details } };
  const action = KEY_ACTIONS.find(({ key }) => key === pressed);
  if (!action) return { input };
  return action.asks === undefined
    ? done(input, action, "", view)
    : { input: { ...input, asking: action, words: action.prefill?.(view.call) ?? "", wrong: "" } };
}

function typing(input: ScreenInput, action: KeyAction, pressed: Press, view: AgentView): Pressed {
  const { words } = input;
  if (typeof pressed === "string")
    return { input: { ...input, words: words + stripControlCharacters(pressed) } };
  switch (pressed.key) {
    case "enter":
      return done(input, action, words, view);
    case "escape":
      return { input: { ...input, asking: undefined, words: "" } };
    case "backspace":
      return { input: { ...input, words: [...words].slice(0, -1).join("") } };
    default:
      return { input };
  }
}

function done(input: ScreenInput, action: KeyAction, words: string, view: AgentView): Pressed {
  const command = action.command(words, view.call);
  const next = { ...input, asking: undefined, words: "" };
  if (typeof command === "string") return { input: { ...next, wrong: `${action.does}: ${command}` } };
  return { input: { ...next, wrong: "" }, command };
}

function scrolled(back: number, key: string, view: AgentView, lines: number): number {
  const by = { up: 1, down: -1, pageUp: lines, pageDown: -lines }[key] ?? 0;
  return Math.max(0, Math.min(view.events.length - lines, back + by));
}
