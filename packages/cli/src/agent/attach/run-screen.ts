import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { appendCommand, isCodi, lastLines } from "@debug-bridge/journal";
import { eventFromCodi, toCodi } from "@debug-bridge/protocol";
import { render } from "ink";
import { createElement } from "react";
import { printRaw } from "../../terminal/output.js";
import { parseEvent } from "../events/event-line.js";
import type { AgentSession } from "../session/choose-session.js";
import { followSession } from "../session/follow-session.js";
import { CLEAR_SCREEN, LEAVE_SCREEN } from "./first-look.js";
import type { AgentCommand } from "./keys.js";
import { Screen, type ScreenSource } from "./screen.js";
import { type AgentView, EMPTY_VIEW, withEvent } from "./view.js";

const MAX_FIRST_EVENTS = 500;

export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/** Shows an agent on the whole terminal until the person leaves. Resolves with the reason if the agent ended. */
export async function attachScreen(
  session: AgentSession,
  { stdin, stdout }: Terminal = process,
): Promise<string | undefined> {
  const source = new FollowedView(session);
  printRaw(CLEAR_SCREEN, stdout);
  try {
    const { waitUntilExit } = render(createElement(Screen, { source }), {
      stdin,
      stdout,
      patchConsole: false,
    });
    await waitUntilExit();
  } finally {
    source.close();
    printRaw(LEAVE_SCREEN, stdout);
  }
  return source.get().over;
}

/** The view of an agent, updated from its events. Commands are appended to its file. */
class FollowedView implements ScreenSource {
  readonly sessionId: string;
  private view: AgentView = EMPTY_VIEW;
  private readonly listeners = new Set<() => void>();
  /** Ids of commands that the screen itself sent. */
  private readonly quiet = new Set<unknown>();
  private readonly stop: () => void;
  private live = false;
  private readonly isCodi: boolean;

  constructor(private readonly session: AgentSession) {
    this.sessionId = session.id;
    this.isCodi = isCodi(session.folder, session.about);
    const lines = lastLines(session.events, MAX_FIRST_EVENTS, statSync(session.events).size);
    for (const { text } of lines) this.read(text);
    this.stop = followSession(session, lines.at(-1)?.end ?? 0, {
      onEvent: (_event, line) => this.read(line),
      onOver: (why) => this.change({ ...this.view, over: why, paused: undefined }),
    });
    this.live = true;
    this.sendCommand("breakpoint", { action: "list" });
    this.sendCommand("inspect", { what: "messages" });
  }

  get = (): AgentView => this.view;

  subscribe = (changed: () => void): (() => void) => {
    this.listeners.add(changed);
    return () => this.listeners.delete(changed);
  };

  send({ type, data }: AgentCommand): void {
    this.write(randomUUID(), type, data);
  }

  close(): void {
    this.stop();
  }

  private read(line: string): void {
    const found = parseEvent(line);
    if (!found) return;
    const event = this.isCodi ? { ...found, data: eventFromCodi(found.type, found.data) } : found;
    this.change(withEvent(this.view, event, (id) => this.quiet.has(id)));
    if (!this.live) return;
    const { type, commandId } = (event.data ?? {}) as { type?: unknown; commandId?: unknown };
    const isChange = event.type === "command_response" && type === "breakpoint" && !this.quiet.has(commandId);
    if (isChange || event.type === "breakpoint_hit") this.sendCommand("breakpoint", { action: "list" });
    const isEdit = event.type === "command_response" && type === "set_variable";
    if (event.type === "paused" || event.type === "rewind" || isEdit)
      this.sendCommand("inspect", { what: "messages" });
  }

  /** Requests what the screen itself needs. */
  private sendCommand(type: string, data: object): void {
    const id = randomUUID();
    this.quiet.add(id);
    this.write(id, type, data);
  }

  private write(id: string, type: string, data: object): void {
    if (this.view.over !== undefined) return;
    const command = this.isCodi ? toCodi(type, data as Record<string, unknown>) : { type, data };
    if (typeof command === "string") {
      this.change({ ...this.view, notice: { text: `${type}: ${command}`, isError: true } });
      return;
    }
    try {
      appendCommand(this.session.folder, { ...command, id });
    } catch (thrown) {
      this.change({ ...this.view, notice: { text: (thrown as Error).message, isError: true } });
    }
  }

  private change(view: AgentView): void {
    this.view = view;
    for (const listener of this.listeners) listener();
  }
}
