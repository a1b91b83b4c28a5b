import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import type { ChatSummary, RunEvent } from "@debug-bridge/protocol";
import { ROOT, type Started, startUp, temporaryFolder, until } from "../../fixtures.js";

export const BIN = join(ROOT, "node_modules/.bin");

/** The chat API of a hub, from outside. */
export interface ChatApi {
  readonly url: string;
  readonly token: string;
  call(path: string, init?: RequestInit): Promise<Response>;
  /** The body of a request that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  json(path: string, method?: string, body?: object): Promise<any>;
  create(body?: object): Promise<ChatSummary>;
  /** Starts a run and returns its id. */
  say(chatId: string, message: string, context?: object): Promise<string>;
  events(chatId: string): Promise<RunEvent[]>;
  /** Waits for the end of a run and returns its events. */
  ended(chatId: string, runId: string): Promise<RunEvent[]>;
}

export function chatApi(url: string, token: string): ChatApi {
  const call: ChatApi["call"] = (path, init = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  const json: ChatApi["json"] = async (path, method = "GET", body) => {
    const response = await call(path, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  const events: ChatApi["events"] = async (id) => {
    const all: RunEvent[] = [];
    for (let since = 0, more = true; more; ) {
      const page = await json(`/v1/chats/${id}/transcript?since=${since}`);
      all.push(...page.events);
      ({ next: since, more } = page);
    }
    return all;
  };
  return {
    ...{ url, token, call, json, events },
    create: (body = {}) => json("/v1/chats", "POST", body),
    say: async (id, message, context) =>
      (await json(`/v1/chats/${id}/runs`, "POST", { message, ...(context ? { context } : {}) })).runId,
    ended: async (id, runId) => {
      const ofRun = async (): Promise<RunEvent[]> =>
        (await events(id)).filter((each) => each.runId === runId);
      await until(async () => (await ofRun()).some(({ event }) => ENDS.has(event)));
      return ofRun();
    },
  };
}

const ENDS = new Set(["run.finished", "run.stopped"]);

export interface ChatHub extends ChatApi, Started {
  readonly home: string;
}

/** A real hub in its own process, whose providers find their programs in these folders. */
export async function startChatHub(
  home: string,
  { env = {}, path = BIN, args = [] }: { env?: Record<string, string>; path?: string; args?: string[] } = {},
): Promise<ChatHub> {
  const up = await startUp(args, home, { PATH: `${path}${delimiter}${process.env.PATH}`, ...env });
  return { ...up, ...chatApi(up.ready.hub, readFileSync(up.ready.tokenFile, "utf8").trim()), home };
}

/** The program itself. That of Claude Code is in a separate package for each platform, and linked only by a script that npm may withhold. */
function programOf(name: string): string {
  if (name !== "claude") return join(BIN, name);
  const require = createRequire(import.meta.url);
  return require.resolve(`@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`);
}

/** A folder with a program that writes down how it was called, and then runs another. */
export function recordedProgram(name: string): { folder: string; calls(): string[][] } {
  const folder = temporaryFolder();
  const log = join(folder, "calls.jsonl");
  writeFileSync(log, "");
  const script = `#!/bin/sh
"${process.execPath}" -e 'require("fs").appendFileSync(process.argv[1], JSON.stringify(process.argv.slice(2)) + "\\n")' -- "${log}" "$@"
exec "${programOf(name)}" "$@"
`;
  writeFileSync(join(folder, name), script);
  chmodSync(join(folder, name), 0o755);
  return {
    folder,
    calls: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as string[]),
  };
}

/** A home of Codex whose model is a stand-in. */
export function codexHome(modelUrl: string): string {
  const home = temporaryFolder();
  mkdirSync(home, { recursive: true });
  writeFileSync(
    join(home, "config.toml"),
    `model = "stand-in"
model_provider = "stand-in"
[model_providers.stand-in]
name = "stand-in"
base_url = "${modelUrl}/v1"
wire_api = "responses"
`,
  );
  return home;
}

/** The text of an agent's answer in a run. */
export function textOf(events: readonly RunEvent[]): string {
  return events.map((each) => (each.event === "run.delta" ? each.payload.text : "")).join("");
}

export function payloads<Name extends RunEvent["event"]>(
  events: readonly RunEvent[],
  name: Name,
): Extract<RunEvent, { event: Name }>["payload"][] {
  return events.flatMap((each) => (each.event === name ? [each.payload] : [])) as never;
}
