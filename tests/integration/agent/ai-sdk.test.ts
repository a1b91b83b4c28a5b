import { join } from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type DebuggedAiSdk, debugAiSdk } from "@debug-bridge/agent/ai-sdk";
import { appendLine } from "@debug-bridge/journal";
import { generateText, stepCountIs, streamText, type ToolSet, tool } from "ai";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { temporaryFolder, until } from "../../fixtures.js";
import { type AgentEvent, cli, eventsOf } from "../../support/agents/agents.js";
import { type ModelServer, type ModelTurn, startModelServer } from "../../support/agents/model-server.js";
import { isLoaded, loadedModules } from "../../support/hub/loaded-modules.js";

const stopWhen = stepCountIs(10);

interface Stage<Tools extends ToolSet> extends DebuggedAiSdk<Tools> {
  readonly server: ModelServer;
  readonly home: string;
  events(): AgentEvent[];
  types(): string[];
  seen(type: string, nth?: number): Promise<AgentEvent>;
  /** Gives a command through the file, as any program does, and waits for the answer. */
  command(type: string, data?: object): Promise<AgentEvent["data"]>;
}

async function stage<Tools extends ToolSet>(
  turns: readonly ModelTurn[],
  tools: Tools,
  more: { paused?: boolean } = {},
): Promise<Stage<Tools>> {
  const server = await startModelServer(turns);
  const home = temporaryFolder();
  const model = createOpenAICompatible({ name: "stand-in", baseURL: `${server.url}/v1` })("m");
  const debugged = debugAiSdk({ model, tools, home, ...more });
  onTestFinished(() => debugged.debug.close());
  const folder = debugged.debug.folder ?? "";
  const events = (): AgentEvent[] => eventsOf(folder);
  let commands = 0;
  return {
    server,
    home,
    debug: debugged.debug,
    settings: debugged.settings,
    get messages() {
      return debugged.messages;
    },
    get isChanged() {
      return debugged.isChanged;
    },
    messagesAfter: (all) => debugged.messagesAfter(all),
    events,
    types: () => events().map(({ type }) => type),
    seen: (type, nth = 1) => until(() => events().filter((event) => event.type === type)[nth - 1]),
    command: async (type, data = {}) => {
      const id = `c${++commands}`;
      appendLine(join(folder, "commands.jsonl"), JSON.stringify({ type, id, data }));
      const answer = await until(() =>
        events().find((event) => event.type === "command_response" && event.data.commandId === id),
      );
      return answer.data;
    },
  };
}

/** Tools that remember what they were called with. */
function noting(): { calls: unknown[]; tools: { note: ToolSet[string]; wait: ToolSet[string] } } {
  const calls: unknown[] = [];
  return {
    calls,
    tools: {
      note: tool({
        description: "Keeps a note.",
        inputSchema: z.object({ text: z.string() }),
        execute: async ({ text }) => {
          calls.push(text);
          return `kept ${text}`;
        },
      }),
      wait: tool({
        description: "Waits for ever.",
        inputSchema: z.object({}),
        execute: (_input, { abortSignal }) =>
          new Promise<string>(() => abortSignal?.addEventListener("abort", () => calls.push("aborted"))),
      }),
    },
  };
}

const sent = (server: ModelServer, request: number): unknown[] =>
  server.requests[request]?.body.messages.map(
    ({ content, tool_calls }: { content: unknown; tool_calls?: unknown }) => (tool_calls ? "call" : content),
  );

const NOTE = { tool: "note", input: { text: "a" } };
const DONE = { text: "done" };

describe("a loop of the AI SDK", () => {
  it.each(["generateText", "streamText"] as const)("is recorded completely, in order: %s", async (way) => {
    const { tools, calls } = noting();
    const at = await stage([NOTE, { tool: "note", input: { text: "b" } }, DONE], tools);
    const call = { ...at.settings, prompt: "take notes", stopWhen };
    const text = way === "generateText" ? (await generateText(call)).text : await streamText(call).text;
    at.debug.close();
    expect([text, calls]).toEqual(["done", ["a", "b"]]);
    const step = ["api_request", "api_response", "assistant_message"];
    const withTool = [...step, "tool_call_start", "tool_call_end", "tool_result"];
    expect(at.types()).toEqual([
      "session_start",
      "user_input",
      ...withTool,
      ...withTool,
      ...step,
      "session_end",
    ]);
    const [first, second] = at.events().filter(({ type }) => type === "api_request");
    expect([first?.data.kept, second?.data.kept, second?.data.messages.length]).toEqual([0, 1, 2]);
    expect(at.events().find(({ type }) => type === "tool_result")?.data).toMatchObject({
      name: "note",
      result: "kept a",
      isError: false,
    });
    expect(at.events()[0]?.data).toMatchObject({ provider: "stand-in.chat", model: "m" });
  });

  it("pauses before the model, accepts a message, keeps it in every later step, and steps", async () => {
    const { tools } = noting();
    const at = await stage([NOTE, { tool: "note", input: { text: "b" } }, DONE], tools, { paused: true });
    const done = generateText({ ...at.settings, prompt: "take notes", stopWhen });
    await at.seen("paused");
    expect(at.server.requests).toHaveLength(0);
    await at.command("inject_message", { role: "user", content: "be brief" });
    expect((await at.command("inspect", { what: "messages" })).data.messages.all).toHaveLength(2);
    await at.command("step");
    await at.seen("paused", 2);
    expect(sent(at.server, 0)).toEqual(["take notes", "be brief"]);
    await at.command("inject_message", { role: "user", content: "go on" });
    await at.command("resume");
    expect((await done).text).toBe("done");
    expect(sent(at.server, 1)).toEqual(["take notes", "be brief", "call", "kept a", "go on"]);
    expect(sent(at.server, 2)).toEqual([
      "take notes",
      "be brief",
      "call",
      "kept a",
      "go on",
      "call",
      "kept b",
    ]);
  });

  it("holds a tool call, which then runs with another input that matches the tool's schema", async () => {
    const { tools, calls } = noting();
    const at = await stage([NOTE, NOTE, DONE], tools);
    await at.command("breakpoint", { action: "add", on: "tool", name: "note" });
    const done = generateText({ ...at.settings, prompt: "go", stopWhen });
    await at.seen("breakpoint_hit");
    expect(calls).toEqual([]);
    await at.command("inject_message", { role: "user", content: "after the tool" });
    await at.command("set_variable", { key: "input.text", value: "changed" });
    await at.command("resume");
    await at.seen("breakpoint_hit", 2);
    expect(calls).toEqual(["changed"]);
    expect(sent(at.server, 1)).toEqual(["go", "call", "kept changed", "after the tool"]);
    await at.command("set_variable", { key: "input", value: { text: 5 } });
    await at.command("resume");
    await done;
    expect(calls).toEqual(["changed"]);
    expect(sent(at.server, 2)?.at(-1)).toContain("does not match the schema of note");
  });

  it("cancels a call that is held and one that runs, and informs the model", async () => {
    const { tools, calls } = noting();
    const at = await stage([NOTE, { tool: "wait", input: {} }, DONE], tools);
    await at.command("breakpoint", { action: "add", on: "tool", name: "note" });
    const done = generateText({ ...at.settings, prompt: "go", stopWhen });
    const { data } = await at.seen("breakpoint_hit");
    await at.command("cancel_tool", { toolId: data.toolCall.toolId });
    await at.command("resume");
    const running = await at.seen("tool_call_start", 2);
    expect(await at.command("cancel_tool", { toolId: running.data.toolId })).toMatchObject({
      data: { wasRunning: true },
    });
    expect((await done).text).toBe("done");
    expect(calls).toEqual(["aborted"]);
    expect(sent(at.server, 1)?.at(-1)).toContain("note was cancelled by the debugger");
    expect(sent(at.server, 2)?.at(-1)).toContain("wait was cancelled by the debugger");
  });

  it("goes back to a checkpoint, and reads settings from variables", async () => {
    const { tools } = noting();
    const at = await stage([NOTE, NOTE, DONE], tools, { paused: true });
    const done = generateText({ ...at.settings, prompt: "go", stopWhen });
    await at.seen("paused");
    await at.command("checkpoint", { label: "start" });
    await at.command("step");
    await at.seen("paused", 2);
    await at.command("rewind", { checkpoint: "start" });
    expect(await at.command("set_variable", { key: "temperature", value: "hot" })).toMatchObject({
      success: false,
      error: expect.stringContaining("temperature must be a number"),
    });
    expect(await at.command("set_variable", { key: "activeTools", value: ["fly"] })).toMatchObject({
      success: false,
      error: expect.stringContaining("the tools are: note, wait"),
    });
    await at.command("set_variable", { key: "temperature", value: 0.5 });
    await at.command("set_variable", { key: "activeTools", value: ["note"] });
    await at.command("resume");
    await done;
    expect(sent(at.server, 1)).toEqual(["go"]);
    expect(sent(at.server, 2)).toEqual(["go", "call", "kept a"]);
    expect(at.server.requests[1]?.body).toMatchObject({
      temperature: 0.5,
      tools: [{ function: { name: "note" } }],
    });
    expect(at.server.requests[0]?.body.tools).toHaveLength(2);
  });

  it("passes on what a tool yields, and records what the provider refuses", async () => {
    const seen: unknown[] = [];
    const at = await stage([{ tool: "count", input: {} }], {
      count: tool({
        inputSchema: z.object({}),
        async *execute() {
          yield "one";
          yield "two";
        },
      }),
    });
    const result = streamText({ ...at.settings, prompt: "go", stopWhen, maxRetries: 0, onError: () => {} });
    for await (const part of result.fullStream)
      if (part.type === "tool-result") seen.push([part.preliminary ?? false, part.output]);
    expect(seen).toEqual([
      [true, "one"],
      [true, "two"],
      [false, "two"],
    ]);
    expect((await at.seen("tool_result")).data.result).toBe("two");
    expect((await at.seen("error")).data).toMatchObject({
      context: "model",
      message: "the script is at its end",
    });
  });

  it("costs nothing when it is disabled", async () => {
    const server = await startModelServer([NOTE, DONE]);
    const home = temporaryFolder();
    const { tools, calls } = noting();
    const model = createOpenAICompatible({ name: "stand-in", baseURL: `${server.url}/v1` })("m");
    const { settings } = debugAiSdk({ model, tools, home, enabled: false });
    expect([settings.model, settings.tools]).toEqual([model, tools]);
    await generateText({ ...settings, prompt: "go", stopWhen });
    expect(calls).toEqual(["a"]);
    expect((await cli(home, "sessions")).stdout).toContain("No session yet");
  });

  it("is not loaded by the package's main entry, nor by the hook", async () => {
    const importing = (entry: string): Promise<string[]> =>
      loadedModules(["--input-type=module", "-e", `await import("@debug-bridge/agent${entry}")`]);
    const [main, hook, adapter] = await Promise.all([
      importing(""),
      importing("/hook"),
      importing("/ai-sdk"),
    ]);
    expect([main, hook, adapter].map((modules) => isLoaded(modules, "ai"))).toEqual([false, false, true]);
    expect([main, hook].map((modules) => isLoaded(modules, "zod"))).toEqual([true, false]);
  });
});
