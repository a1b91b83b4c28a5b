import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readLines } from "@debug-bridge/journal";
import { CLI, type Finished, runCli, type Started, start, until } from "../../fixtures.js";

export interface AgentEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly sessionId: string;
  readonly sequence: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every type.
  readonly data: any;
}

/** A real agent in its own process, seen through its files. */
export interface RunningAgent extends Started {
  readonly id: string;
  readonly folder: string;
  readonly cwd: string;
  events(): AgentEvent[];
  types(): string[];
  /** The nth event of a type, once it is there. */
  seen(type: string, nth?: number): Promise<AgentEvent>;
  /** How many events of a type there are. */
  count(type: string): number;
}

let scripts = 0;

/** Starts `debug-bridge run` with these turns and waits for its session. */
export async function startAgent(
  home: string,
  turns: readonly object[],
  args: string[] = [],
): Promise<RunningAgent> {
  const cwd = join(home, `work-${++scripts}`);
  mkdirSync(cwd, { recursive: true });
  const script = join(cwd, "turns.json");
  writeFileSync(script, JSON.stringify(turns));
  const started = start(
    process.execPath,
    [CLI, "agent", "run", "--json", "--script", script, ...args, "do it"],
    { DEBUG_BRIDGE_HOME: home },
    cwd,
  );
  await until(() => started.output.stdout.includes("\n") || started.child.exitCode !== null);
  const { id, folder } = JSON.parse(started.output.stdout.split("\n")[0] ?? "") as {
    id: string;
    folder: string;
  };
  const events = (): AgentEvent[] => eventsOf(folder);
  const ofType = (type: string): AgentEvent[] => events().filter((event) => event.type === type);
  return {
    ...started,
    id,
    folder,
    cwd,
    events,
    types: () => events().map(({ type }) => type),
    seen: (type, nth = 1) => until(() => ofType(type)[nth - 1]),
    count: (type) => ofType(type).length,
  };
}

/** What a session's `events.jsonl` holds; every line of it is an event. */
export function eventsOf(folder: string): AgentEvent[] {
  const file = join(folder, "events.jsonl");
  return existsSync(file) ? [...readLines(file)].map(({ text }) => JSON.parse(text) as AgentEvent) : [];
}

/** Turns that keep an agent busy: one each `delayMs`. */
export const busyTurns = (count: number, delayMs = 20): object[] =>
  Array.from({ length: count }, (_, i) => ({ text: `turn ${i + 1}`, delayMs }));

/** Runs the command line on a home, with a hub nowhere. */
export function cli(home: string, ...args: string[]): Promise<Finished> {
  return runCli(args, { DEBUG_BRIDGE_HOME: home });
}
