import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  appendCommand,
  BlobStore,
  type Following,
  followLines,
  isCodi,
  joinAsDebugger,
  type Line,
  lastLines,
  MAX_LAST_BYTES,
} from "@debug-bridge/journal";
import {
  AGENT_LINE_LIMITS,
  type AgentCommand,
  AnswerReader,
  answerFromCodi,
  BridgeError,
  Correlator,
  codiResponds,
  isUnknownCommand,
  type SessionFile,
  toCodi,
} from "@debug-bridge/protocol";
import { check, parseBounded, timelineRecordSchema } from "@debug-bridge/protocol/schemas";
import type { AgentAnswer, AgentPort } from "../../dispatch/agent-commands.js";
import type { Session } from "../../sessions/session.js";

/** A larger first number in a file could not be counted up without losing precision. */
const MAX_FIRST_SEQUENCE = 2 ** 48;
/** How many earlier events of an agent are read when the hub begins to follow it. */
const MAX_EARLIER_EVENTS = 1_000;
const ANSWER_TIMEOUT_MS = 10_000;
/** An agent behind hooks reads commands when its next hook runs, which may be long after. */
const HOOK_TIMEOUT_MS = 300;

/** What only orders and dates a record is read separately: a wrong number or time must not lose an event. */
const eventSchema = timelineRecordSchema.pick({ type: true, data: true }).partial({ data: true });

/** A running agent as a session of the hub: events are read from its files, and commands are written into them. */
export class FollowedAgent implements AgentPort {
  private readonly waiting = new Correlator<AgentAnswer>();
  private readonly answers = new AnswerReader();
  /** Commands for which it is not enough that they were executed. */
  private readonly needResponse = new Set<string>();
  private readonly following: Following;

  constructor(
    private readonly folder: string,
    readonly about: SessionFile,
    readonly session: Session,
    /** Offset up to which it was read before, if it was. */
    from: number | undefined,
  ) {
    const events = join(folder, "events.jsonl");
    session.attachAgent(this, describe(about));
    this.following = followLines(events, {
      from: from ?? this.readEarlier(events),
      onLine: (line) => this.onLine(line),
    });
  }

  /** Offset up to which its events are in the timeline. */
  get position(): number {
    return this.following.position;
  }

  async send(command: AgentCommand): Promise<AgentAnswer> {
    if (isCodi(this.folder, this.about)) return this.sendToCodi(command);
    const answer = await this.write(command);
    // Another program's agent may have codi's names.
    const mayBeCodi = this.about.kind === undefined && isUnknownCommand({ success: true, ...answer });
    if (!mayBeCodi) return answer;
    const { unsent: _first, ...second } = await this.sendToCodi({ ...command, id: randomUUID() });
    return second;
  }

  private async sendToCodi({ id, type, data }: AgentCommand): Promise<AgentAnswer> {
    const command = toCodi(type, data as Record<string, unknown> | undefined);
    if (typeof command === "string")
      return { success: false, code: "not_supported", error: command, unsent: true };
    if (codiResponds(command.type)) this.needResponse.add(id);
    try {
      return answerFromCodi(type, { success: true, ...(await this.write({ id, ...command })) });
    } finally {
      this.needResponse.delete(id);
    }
  }

  private async write(command: { readonly id: string; readonly type: string }): Promise<AgentAnswer> {
    const behindHooks = this.about.adapter === "hook";
    const timeoutMs = behindHooks ? HOOK_TIMEOUT_MS : ANSWER_TIMEOUT_MS;
    // Written before the wait begins: the agent reads it in a later turn at the earliest.
    try {
      appendCommand(this.folder, { ...command });
    } catch (thrown) {
      const { code, message } = BridgeError.from(thrown);
      return { success: false, code, error: message, unsent: true };
    }
    // It does not leave: an agent that the hub paused is free when the hub ends.
    if (behindHooks) joinAsDebugger(this.folder);
    const answer = this.waiting.open(command.id, { timeoutMs });
    return behindHooks ? answer.catch(() => ({ queued: true })) : answer;
  }

  /** The agent ended: reads what it wrote last. */
  end(): void {
    this.following.read();
    this.following.close();
    this.waiting.lose("the agent ended");
    this.session.detachAgent();
  }

  close(): void {
    this.following.close();
  }

  /** Reads the newest events of a file that may be long; returns the offset to continue at. */
  private readEarlier(events: string): number {
    const size = lstatSync(events, { throwIfNoEntry: false })?.size ?? 0;
    const lines = lastLines(events, MAX_EARLIER_EVENTS, size);
    const first = lines[0] && parse(lines[0]);
    // So that a record has the same number here as in the file.
    if (first?.sequence !== undefined && first.sequence > 0 && first.sequence <= MAX_FIRST_SEQUENCE)
      this.session.timeline.beginAfter(first.sequence - 1);
    for (const line of lines) this.onLine(line);
    return lines.at(-1)?.end ?? Math.max(0, size - MAX_LAST_BYTES);
  }

  private onLine(line: Line): void {
    const event = parse(line);
    if (!event) return;
    const { type, timestamp, data } = event;
    const at = Date.parse(timestamp ?? "");
    this.session.fromFile(type, Number.isNaN(at) ? Date.now() : at, JSON.stringify(data ?? null));
    if (this.waiting.size > 0) this.settle(type, data);
  }

  /** Agents of other programs may answer by `command_executed` alone. */
  private settle(type: string, value: unknown): void {
    const found = this.answers.read(type, value);
    if (!found) return;
    const { commandId, isResponse, ...answer } = found;
    if (!isResponse && this.needResponse.has(commandId)) return;
    const { data } = answer;
    const whole = data === undefined ? answer : { ...answer, data: new BlobStore(this.folder).resolve(data) };
    this.waiting.settle(commandId, whole);
  }
}

interface FileEvent {
  readonly type: string;
  readonly timestamp?: string | undefined;
  readonly sequence?: number | undefined;
  readonly data?: unknown;
}

function parse({ text, cut }: Line): FileEvent | undefined {
  if (cut) return { type: "gap", data: { dropped: 1, reason: "the agent wrote a line that is too long" } };
  const parsed = parseBounded(text, AGENT_LINE_LIMITS);
  if (!parsed.ok) return undefined;
  const event = check(eventSchema, parsed.value);
  if (!event.ok) return undefined;
  // Agents of other programs may leave these out, or count from 0.
  const { timestamp, sequence } = parsed.value as { timestamp?: unknown; sequence?: unknown };
  return {
    ...event.value,
    ...(typeof timestamp === "string" ? { timestamp } : {}),
    ...(Number.isSafeInteger(sequence) ? { sequence: sequence as number } : {}),
  };
}

function describe({ cwd, name, provider, model }: SessionFile): {
  url: string;
  title: string;
  appName?: string;
} {
  const title = [provider, model].filter((part) => part !== undefined).join("/") || "agent";
  return { url: pathToFileURL(cwd).href, title, ...(name === undefined ? {} : { appName: name }) };
}
