import {
  ACTING_COMMANDS,
  type CommandInput,
  type CommandResult,
  type TimelineRecord,
} from "@debug-bridge/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { auditRecords } from "../../support/hub/audit.js";
import { type McpUser, mcpClient } from "../mcp/client.js";
import { AllKinds, KINDS, type Kind } from "./all-kinds.js";
import { commandLine, http, mcp, type Way, type WayAnswer, webSocket } from "./ways.js";

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

/** What CDP clients send for a click. */
const CDP_ACT = "Input.dispatchMouseEvent";
/** Starting a process for each command takes a while; more at once than this take no less. */
const PROCESSES = 4;

/** A command that was sent, and the code with which it was refused. */
type Refusal = readonly [type: string, code: string];

/** What was refused in a hub so far, by session. The audit log must have each of them once. */
class Refusals {
  private readonly bySession = new Map<string, string[]>();

  constructor(private readonly kinds: AllKinds) {}

  /** Expects that the timeline of a session has these refusals, each once, and nothing else that acts. */
  async during(
    session: string,
    wanted: readonly Refusal[],
    send: () => Promise<unknown>,
  ): Promise<CommandResult[]> {
    const reader = this.kinds.hub.connectClient({ name: "reader" });
    const records: TimelineRecord[] = [];
    const stop = reader.subscribe(session, (record) => records.push(record));
    const of = (type: string): TimelineRecord[] => records.filter((record) => record.type === type);
    try {
      await send();
      const isAct = ({ data }: TimelineRecord): boolean => isActing((data as { type: string }).type);
      await until(() => of("command_result").length >= of("command").length && of("command").some(isAct));
      const acts = of("command").filter(isAct);
      const results = acts.map(({ sequence, data }) => {
        const [result, ...others] = of("command_result").filter(({ causedBy }) => causedBy === sequence);
        expect(others, (data as { type: string }).type).toEqual([]);
        return result?.data as CommandResult;
      });
      const refused = results.map(({ requestType, error }) => `${requestType} ${error}`);
      expect(refused.sort()).toEqual(wanted.map((refusal) => refusal.join(" ")).sort());
      this.bySession.set(session, [...(this.bySession.get(session) ?? []), ...refused]);
      return results;
    } finally {
      stop();
      reader.close();
    }
  }

  /** Ends the hub: repeated refusals are counted before they are written. */
  async expectAudited(): Promise<void> {
    await this.kinds.closeHub();
    const log = auditRecords(this.kinds.home) as { session?: string; what: string; outcome: string }[];
    for (const [id, refused] of this.bySession) {
      const audited = log
        .filter(({ session, what }) => session === id && isActing(what))
        .map(({ what, outcome }) => `${what} ${outcome}`);
      // The launched Chrome went to its page before anybody held the lease.
      expect(audited.filter((line) => line !== "navigate done").sort(), id).toEqual(refused.sort());
    }
  }
}

const isActing = (type: string): boolean => type === CDP_ACT || ACTING_COMMANDS.some((each) => each === type);

/** Sends every command, some at a time. */
async function sendAll(way: Way, kind: Kind): Promise<Map<string, WayAnswer>> {
  const answers = new Map<string, WayAnswer>();
  const left = [...ACTS];
  const sender = async (): Promise<void> => {
    for (let command = left.shift(); command; command = left.shift())
      answers.set(command.type, await way.send(kind, command));
  };
  const count = way.name === "command line" ? PROCESSES : 1;
  await Promise.all(Array.from({ length: count }, sender));
  return answers;
}

/**
 * Sends every command over every way, and expects the same error from all of them, once in the timeline. Looking still
 * works.
 */
async function expectRefused(kinds: AllKinds, refusals: Refusals, code: string): Promise<void> {
  const ways: Way[] = [webSocket(kinds), http(kinds), await mcp(kinds), commandLine(kinds)];
  for (const way of ways) {
    for (const kind of KINDS) {
      const where = `${way.name} in ${kind}`;
      const wanted = ACTS.map(({ type }) => [type, code] as const);
      let answers = new Map<string, WayAnswer>();
      const results = await refusals.during(kinds.ids[kind], wanted, async () => {
        answers = await sendAll(way, kind);
      });
      for (const { requestType, message } of results) {
        const { verdict, result, text } = answers.get(requestType) as WayAnswer;
        expect(verdict, `${requestType} over ${where}`).toBe(way.name === "command line" ? "failed" : code);
        // The command line says what is wrong in words.
        expect(result?.message ?? text, `${requestType} over ${where}`).toContain(message);
      }
      const { verdict } = await way.send(kind, LOOK);
      expect(verdict, `looking over ${where}`).toBe("done");
    }
  }
}

const PRESS = `"${CDP_ACT}", { type: "mousePressed", x: 1, y: 1, button: "left", clickCount: 1 }`;

/** What `execute` says about a press of the mouse in the tab. */
async function executePress(kinds: AllKinds): Promise<string> {
  const user: McpUser = await mcpClient(["--hub", kinds.hub.url, "--home", kinds.home]);
  const code = `const tab = context.pages().find((one) => one.url().includes("/?tab")); const cdp = await context.newCDPSession(tab); await cdp.send(${PRESS}); return "pressed"`;
  const { text, isError } = await user.call("execute", { code });
  await user.call("reset").catch(() => {});
  expect(isError, text).toBe(true);
  return text;
}

/** Presses the mouse in the tab as a CDP client. Returns what Playwright says about it. */
async function cdpPress(kinds: AllKinds): Promise<string> {
  const browser = await kinds.stage.playwright();
  const [context] = browser.contexts();
  const page = context?.pages().find((one) => one.url().includes("/?tab"));
  if (!context || !page) throw new Error("the CDP client does not see the tab");
  const cdp = await context.newCDPSession(page);
  const event = { type: "mousePressed", x: 1, y: 1, button: "left", clickCount: 1 } as const;
  const refusal = await cdp.send(CDP_ACT, event).then(
    () => "done",
    (thrown: Error) => thrown.message,
  );
  await browser.close();
  return refusal;
}

/** Expects one record of what was refused to a CDP client or to `execute`, and that they were given its message. */
async function expectPressRefused(
  kinds: AllKinds,
  refusals: Refusals,
  code: string,
  press: (kinds: AllKinds) => Promise<string>,
): Promise<void> {
  let message = "";
  const [result] = await refusals.during(kinds.ids.tab, [[CDP_ACT, code]], async () => {
    message = await press(kinds);
  });
  expect(message).toContain(result?.message);
}

describe("a hub that was started with --read-only", () => {
  let kinds: AllKinds;
  let refusals: Refusals;
  beforeAll(async () => {
    kinds = await AllKinds.start({ readOnly: true });
    refusals = new Refusals(kinds);
  });
  afterAll(() => kinds?.close());

  it(
    "refuses the same commands with the same error over every way",
    async () => {
      await expectRefused(kinds, refusals, "read_only");
    },
    TIMEOUT_MS,
  );

  it("refuses browser_action before it launches a browser", async () => {
    const start = `<type>start</type><url>${kinds.url("browser")}</url>`;
    await refusals.during("unlaunched", [["navigate", "read_only"]], async () => {
      const response = await kinds.browserAction(start, "unlaunched");
      expect(response).toMatchObject({ success: false, error: { code: "read_only" } });
    });
    expect(kinds.browsers.active).toEqual([]);
  });

  it("refuses CDP clients", () => expectPressRefused(kinds, refusals, "read_only", cdpPress), TIMEOUT_MS);

  it(
    "refuses execute before its code runs",
    async () => {
      expect(await executePress(kinds)).toMatch(/^error read_only\n/);
    },
    TIMEOUT_MS,
  );

  it("has each refusal in the audit log once", () => refusals.expectAudited());
});

describe("a session whose lease another client holds", () => {
  let kinds: AllKinds;
  let refusals: Refusals;
  beforeAll(async () => {
    kinds = await AllKinds.start();
    refusals = new Refusals(kinds);
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
      await expectRefused(kinds, refusals, "lease_held");
    },
    TIMEOUT_MS,
  );

  it("refuses browser_action", async () => {
    for (const [type, xml] of [
      ["click", "<type>click</type><selector>main button</selector>"],
      ["press", "<type>press</type><key>Escape</key>"],
      ["scroll", "<type>scroll</type>"],
      ["navigate", `<type>navigate</type><url>${kinds.url("browser")}</url>`],
    ] as const) {
      await refusals.during(kinds.ids.browser, [[type, "lease_held"]], async () => {
        const response = await kinds.browserAction(xml);
        expect(response).toMatchObject({ success: false, error: { code: "lease_held" } });
      });
    }
    expect(kinds.browsers.active).toEqual(["launched"]);
  });

  it.each([
    ["CDP clients", cdpPress],
    ["execute", executePress],
  ] as const)(
    "refuses %s",
    (_name, press) => expectPressRefused(kinds, refusals, "lease_held", press),
    TIMEOUT_MS,
  );

  it("has each refusal in the audit log once", () => refusals.expectAudited());
});
