import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLI, type Finished, ROOT, start, temporaryFolder } from "../../fixtures.js";
import { type AgentEvent, eventsOf } from "../../support/agents/agents.js";
import { type ModelServer, type ModelTurn, startModelServer } from "../../support/agents/model-server.js";
import { answer, hello, testHub } from "../../support/hub/hub.js";
import { CLI_MODULES, isLoaded, loadedModules } from "../../support/hub/loaded-modules.js";

const NO_KEYS = {
  ANTHROPIC_API_KEY: "",
  OPENAI_API_KEY: "",
  GOOGLE_GENERATIVE_AI_API_KEY: "",
  DEEPSEEK_API_KEY: "",
  DEBUG_BRIDGE_MODEL_KEY: "",
};

interface Ran extends Finished {
  readonly home: string;
  // biome-ignore lint/suspicious/noExplicitAny: lines of several shapes.
  readonly lines: any[];
  readonly events: AgentEvent[];
}

async function run(args: string[], env: Record<string, string> = {}, home = temporaryFolder()): Promise<Ran> {
  const { finished } = start(
    process.execPath,
    [CLI, "agent", "run", "--json", ...args],
    { ...NO_KEYS, DEBUG_BRIDGE_HOME: home, ...env },
    home,
  );
  const ended = await finished;
  const lines = ended.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return { ...ended, home, lines, events: lines[0]?.folder ? eventsOf(lines[0].folder) : [] };
}

const TURNS: readonly ModelTurn[] = [
  { tool: "write_file", input: { path: "note.txt", content: "hello" } },
  { text: "I wrote a note." },
];

/** What each provider is sent: its path, how the key is given, and the tools of the agent. */
const PROVIDERS: readonly [
  name: string,
  args: (server: ModelServer) => string[],
  env: Record<string, string>,
  path: string,
  key: (headers: Record<string, unknown>) => unknown,
][] = [
  [
    "anthropic",
    ({ url }) => ["--model", "anthropic/claude-test", "--base-url", `${url}/v1`],
    { ANTHROPIC_API_KEY: "k-1" },
    "/v1/messages",
    (headers) => headers["x-api-key"],
  ],
  [
    "openai",
    ({ url }) => ["--model", "openai/gpt-test", "--base-url", `${url}/v1`],
    { OPENAI_API_KEY: "k-1" },
    "/v1/responses",
    (headers) => String(headers.authorization).replace("Bearer ", ""),
  ],
  [
    "google",
    ({ url }) => ["--model", "google/gemini-test", "--base-url", `${url}/v1beta`],
    { GOOGLE_GENERATIVE_AI_API_KEY: "k-1" },
    "/v1beta/models/gemini-test:generateContent",
    (headers) => headers["x-goog-api-key"],
  ],
  [
    "deepseek",
    ({ url }) => ["--model", "deepseek/chat-test", "--base-url", url],
    { DEEPSEEK_API_KEY: "k-1" },
    "/chat/completions",
    (headers) => String(headers.authorization).replace("Bearer ", ""),
  ],
  [
    "any that speaks as OpenAI does",
    ({ url }) => ["--model", "qwen/qwen3", "--base-url", `${url}/v1`],
    { DEBUG_BRIDGE_MODEL_KEY: "k-1", OPENAI_API_KEY: "not-for-others" },
    "/v1/chat/completions",
    (headers) => String(headers.authorization).replace("Bearer ", ""),
  ],
];

describe("debug-bridge agent run with a model", () => {
  it.each(PROVIDERS)("carries out a task: %s", async (_name, args, env, path, key) => {
    const server = await startModelServer(TURNS);
    const ran = await run([...args(server), "write a note"], env);
    expect(ran.stderr).toBe("");
    expect(ran.code).toBe(0);
    expect(readFileSync(join(ran.home, "note.txt"), "utf8")).toBe("hello");
    expect(ran.lines.map(({ event }) => event)).toEqual(["session", "tool_start", "tool", "text", "done"]);
    const input = { path: "note.txt", content: "hello" };
    expect(ran.lines[1]).toMatchObject({ tool: "write_file", input });
    expect(ran.lines[2]).toMatchObject({ id: ran.lines[1]?.id, input, result: "wrote 5 bytes to note.txt" });
    expect(ran.lines.at(-1)).toMatchObject({ text: "I wrote a note.", iterations: 2 });
    expect(server.requests.map((request) => request.path)).toEqual([path, path]);
    expect(server.requests.map(({ headers }) => key(headers))).toEqual(["k-1", "k-1"]);
    const sent = JSON.stringify(server.requests[0]?.body);
    for (const name of ["read_file", "write_file", "run_command", "observe", "act", "logs", "eval"])
      expect(sent).toContain(`"${name}"`);
    expect(JSON.stringify(server.requests[1]?.body)).toContain("wrote 5 bytes to note.txt");
    expect(ran.events.find(({ type }) => type === "api_response")?.data.usage.inputTokens.total).toBe(12);
    expect(ran.events.at(-1)).toMatchObject({ type: "session_end", data: { reason: "done" } });
  });

  it("uses the provider whose key is set, and its address from the environment", async () => {
    const server = await startModelServer(TURNS);
    const ran = await run(["go"], { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: `${server.url}/v1` });
    expect(ran.code).toBe(0);
    expect(server.requests[0]?.body.model).toMatch(/^claude/);
    expect(ran.events[0]?.data.provider).toContain("anthropic");
  });

  it("reports what is missing", async () => {
    const none = await run(["go"]);
    expect(none).toMatchObject({ code: 1, stdout: "" });
    for (const name of [...Object.keys(NO_KEYS).slice(0, 4), "--script", "--base-url"])
      expect(none.stderr).toContain(name);
    expect((await run(["--model", "openai/x", "go"])).stderr).toContain("set OPENAI_API_KEY");
    expect((await run(["--model", "x", "go"])).stderr).toContain("anthropic/NAME");
    expect((await run(["--base-url", "http://127.0.0.1:1/v1", "go"])).stderr).toContain("--model");
    expect(await run(["--base-url", "nowhere", "--model", "x", "go"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("It must be an address like"),
    });
    expect((await run([])).stderr).toContain("missing task");
  });

  it("ends with the provider's error when it refuses, and so does the session", async () => {
    const server = await startModelServer([]);
    const ran = await run(["--model", "m", "--base-url", `${server.url}/v1`, "go"]);
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("the script is at its end")]);
    expect(ran.events.at(-1)).toMatchObject({ type: "session_end", data: { reason: "error" } });
  });

  it("uses the apps on a hub: looks, acts and reads what they log", async () => {
    const hub = await testHub();
    const app = await hub.app("shop");
    app.send({ ...hello });
    answer(app, ({ type }) =>
      type === "request_ui_tree"
        ? { result: 'e1 button "Pay"', value: { version: 3, url: "http://localhost:3000/" } }
        : { result: "ok" },
    );
    app.send({ type: "console", level: "error", args: ["card declined"] });
    const server = await startModelServer([
      { tool: "observe", input: {} },
      { tool: "act", input: { session: "shop", type: "click", target: { ref: "e1" } } },
      { tool: "logs", input: {} },
      { tool: "eval", input: { code: "1+1" } },
      { tool: "sessions", input: {} },
      { text: "The card was declined." },
    ]);
    const ran = await run(
      ["--model", "m", "--base-url", `${server.url}/v1`, "--hub", hub.url, "look"],
      {},
      hub.home,
    );
    expect(ran.code).toBe(0);
    const results = ran.events.filter(({ type }) => type === "tool_result").map(({ data }) => data.result);
    expect(results[0]).toContain('e1 button "Pay"');
    expect(results[0]).toContain("untrusted data");
    expect(results[1]).toContain("ok");
    expect(results[2]).toContain("card declined");
    expect(results[4]).toContain("shop app connected");
    expect(app.received.filter(({ origin }) => origin === "agent").map(({ type }) => type)).toEqual([
      "request_ui_tree",
      "click",
      "evaluate",
    ]);
    expect(hub.audit()).toContain("agent-1:run");
  });

  it("loads the AI SDK only for a model that needs it, and only the provider that is used", async () => {
    const home = temporaryFolder();
    const server = await startModelServer([{ text: "done" }]);
    const script = join(ROOT, "tests/support/agents/one-turn.json");
    const scripted = await loadedModules([CLI_MODULES, "agent", "run", "--script", script, "go"], {
      DEBUG_BRIDGE_HOME: home,
    });
    expect(isLoaded(scripted, "ai")).toBe(false);
    const local = await loadedModules(
      [CLI_MODULES, "agent", "run", "--model", "m", "--base-url", `${server.url}/v1`, "go"],
      {
        DEBUG_BRIDGE_HOME: home,
      },
    );
    const loaded = (name: string): boolean => isLoaded(local, name);
    expect(["ai", "@ai-sdk/openai-compatible", "@ai-sdk/anthropic", "@ai-sdk/google"].map(loaded)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
