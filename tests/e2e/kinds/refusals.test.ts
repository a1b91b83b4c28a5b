import { ACTING_COMMANDS, type CommandInput, type CommandResult } from "@debug-bridge/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { auditRecords } from "../../support/audit.js";
import { type McpUser, mcpClient } from "../mcp/client.js";
import { AllKinds, KINDS, type Kind } from "./all-kinds.js";
import { commandLine, http, mcp, type Way, webSocket } from "./ways.js";

const TIMEOUT_MS = 240_000;
const target = { role: "button", name: "Buy" };

/** Every command that acts on a page. */
const ACTS: readonly CommandInput[] = [
  { type: "click", target },
  { type: "type", target: { role: "textbox", name: "Name" }, text: "Ada" },
  { type: "press", key: "Escape" },
  { type: "select", target: { role: "combobox", name: "Size" }, values: ["L"] },
  { type: "hover", target },
  { type: "scroll", y: 10 },
  { type: "drag", source: target, target },
  { type: "navigate", url: "/elsewhere" },
  { type: "dialog", action: "accept" },
  { type: "set_files", target, files: [{ name: "a.txt", data: "YQ==" }] },
  { type: "call_tool", name: "empty_basket", input: {} },
  { type: "evaluate", code: "1" },
];
const LOOK: CommandInput = { type: "request_ui_tree", format: "text", maxTokens: 500 };

it("sends every command that acts", () => {
  expect(ACTS.map(({ type }) => type).sort()).toEqual([...ACTING_COMMANDS].sort());
});

/** The error that the timeline has for what was sent; `done` when there is none. Every command is in it once. */
async function recorded(kinds: AllKinds, kind: Kind, send: () => Promise<unknown>): Promise<string> {
  const reader = kinds.hub.connectClient({ name: "reader" });
  try {
    const id = kinds.ids[kind];
    const before = reader.sequence(id);
    await send();
    const of = (type: string): unknown[] =>
      reader
        .records(id, before)
        .filter((record) => record.type === type)
        .map(({ data }) => data);
    await until(() => of("command_result").length > 0);
    expect(of("command")).toHaveLength(1);
    expect(of("command_result")).toHaveLength(1);
    return (of("command_result")[0] as CommandResult).error ?? "done";
  } finally {
    reader.close();
  }
}

/** The outcomes in the audit log of what was sent to a session. */
function audited(kinds: AllKinds, kind: Kind): string[] {
  return (auditRecords(kinds.home) as { session?: string; outcome: string }[])
    .filter(({ session }) => session === kinds.ids[kind])
    .map(({ outcome }) => outcome);
}

/**
 * Sends every command over every way, and expects the same error from all of them, once in the timeline and once in the
 * audit log. Looking still works.
 */
async function expectRefused(kinds: AllKinds, which: readonly Kind[], code: string): Promise<void> {
  const ways: Way[] = [webSocket(kinds), http(kinds), await mcp(kinds), commandLine(kinds)];
  for (const way of ways) {
    for (const kind of which) {
      // The command line is slow to start, and sends what the others send.
      const acts = way.name === "command line" ? ACTS.slice(0, 2) : ACTS;
      for (const command of acts) {
        const where = `${command.type} over ${way.name} in ${kind}`;
        let verdict = "";
        const before = audited(kinds, kind).length;
        const error = await recorded(kinds, kind, async () => {
          verdict = await way.send(kind, command);
        });
        expect(error, where).toBe(code);
        expect(verdict, where).toBe(way.name === "command line" ? "failed" : code);
        await until(() => audited(kinds, kind).length > before);
        expect(audited(kinds, kind).slice(before), where).toEqual([code]);
      }
      expect(await way.send(kind, LOOK), `looking over ${way.name} in ${kind}`).toBe("done");
    }
  }
}

/** What `execute` says about a click in the tab. */
async function executeClick(kinds: AllKinds): Promise<string> {
  const user: McpUser = await mcpClient(["--hub", kinds.hub.url, "--home", kinds.home]);
  const code = `const tab = context.pages().find((one) => one.url().includes("/?tab")); await tab.mouse.click(1, 1); return "clicked"`;
  const { text } = await user.call("execute", { code });
  await user.call("reset").catch(() => {});
  return text;
}

/** Clicks in the tab as a CDP client. */
async function cdpClick(kinds: AllKinds): Promise<void> {
  const browser = await kinds.stage.playwright();
  const page = browser
    .contexts()
    .flatMap((context) => context.pages())
    .find((one) => one.url().includes("/?tab"));
  if (!page) throw new Error("the CDP client does not see the tab");
  await page.mouse.click(1, 1);
}

describe("a hub that was started with --read-only", () => {
  let kinds: AllKinds;
  beforeAll(async () => {
    kinds = await AllKinds.start({ readOnly: true }, ["app", "tab"]);
  });
  afterAll(() => kinds?.close());

  it(
    "refuses the same commands with the same error over every way",
    async () => {
      await expectRefused(kinds, ["app", "tab"], "read_only");
    },
    TIMEOUT_MS,
  );

  it("refuses browser_action before it launches a browser", async () => {
    const response = await kinds.browserAction(`<type>start</type><url>${kinds.url("browser")}</url>`);
    expect(response).toMatchObject({ success: false, error: { code: "read_only" } });
    expect(kinds.browsers.active).toEqual([]);
  });

  it(
    "refuses CDP clients and execute",
    async () => {
      await expect(cdpClick(kinds)).rejects.toThrow(/read-only/);
      expect(await executeClick(kinds)).toMatch(/read-only|read_only/);
    },
    TIMEOUT_MS,
  );
});

describe("a session whose lease another client holds", () => {
  let kinds: AllKinds;
  beforeAll(async () => {
    kinds = await AllKinds.start();
    const holder = kinds.hub.connectClient({ name: "holder" });
    for (const kind of KINDS) {
      const result = await holder.command(kinds.ids[kind], { type: "acquire_lease", ttlMs: 3_600_000 });
      expect(result.success).toBe(true);
    }
  });
  afterAll(() => kinds?.close());

  it(
    "refuses the same commands with the same error over every way",
    async () => {
      await expectRefused(kinds, KINDS, "lease_held");
    },
    TIMEOUT_MS,
  );

  it("refuses browser_action", async () => {
    for (const xml of [
      "<type>click</type><selector>main button</selector>",
      "<type>press</type><key>Escape</key>",
      "<type>scroll</type>",
      `<type>navigate</type><url>${kinds.url("browser")}</url>`,
    ]) {
      expect(await kinds.browserAction(xml)).toMatchObject({ success: false, error: { code: "lease_held" } });
    }
    expect(kinds.browsers.active).toEqual(["launched"]);
  });

  it(
    "refuses CDP clients and execute",
    async () => {
      await expect(cdpClick(kinds)).rejects.toThrow(/lease|holder/);
      expect(await executeClick(kinds)).toMatch(/lease|holder/);
    },
    TIMEOUT_MS,
  );
});
