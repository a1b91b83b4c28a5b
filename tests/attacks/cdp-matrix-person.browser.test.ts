import { type CdpAccess, type Grant, judgeCdp } from "@debug-bridge/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CdpClient } from "../integration/relay/cdp-client.js";
import { PersonStage } from "./person/stage.js";
import { METHODS, UNKNOWN_METHODS } from "./support/methods.js";

let person: PersonStage;
beforeAll(async () => {
  person = await PersonStage.start();
});
afterEach(() => person.reset());
afterAll(() => person?.close());

const REFUSALS = ["forbidden_origin", "grant_needed", "not_supported"];
/** What the relay does not pass on for anybody. */
const NOT_FOUND = -32601;
/** They end the session or the page, stop its scripts, or answer only after an event that never comes here. */
const NOT_RUN = new RegExp(
  `^(Target|HeapProfiler|Tracing|Profiler|Fetch|WebAuthn)\\.|^(${[
    ...["Page.close", "Page.crash", "Page.screencastFrameAck", "Page.printToPDF", "Page.captureSnapshot"],
    ...["Page.setWebLifecycleState", "Page.waitForDebugger", "Page.reload", "Page.stopLoading"],
    ...["Page.handleJavaScriptDialog", "Page.resetNavigationHistory", "Page.captureScreenshot"],
    ...["Debugger.pause", "Debugger.enable", "Debugger.setSkipAllPauses", "Runtime.runIfWaitingForDebugger"],
    ...["Runtime.terminateExecution", "Emulation.setScriptExecutionDisabled", "Input.setIgnoreInputEvents"],
    ...["Emulation.setVirtualTimePolicy", "Network.emulateNetworkConditions", "Overlay.setInspectMode"],
  ].join("|")})$`,
);

const ANOTHER_SITE = {
  url: "http://bank.test/",
  urls: ["http://bank.test/"],
  origin: "http://bank.test",
  domain: "bank.test",
};

/** The methods that were answered otherwise than expected, with what the answer was. */
async function unexpected(
  { client, session }: { client: CdpClient; session: string },
  expected: "allowed" | "refused",
  methods: readonly string[],
  params: object,
): Promise<string[]> {
  const answers = await Promise.all(
    methods.map(async (method) => {
      const { error } = await client.ask(method, params, session);
      const isRefused = REFUSALS.includes(String(error?.data));
      if (expected === "refused" && error?.code === NOT_FOUND) return [];
      return isRefused === (expected === "refused") ? [] : [`${method}: ${JSON.stringify(error ?? "done")}`];
    }),
  );
  return answers.flat();
}

const split = (access: CdpAccess, params: object): { allowed: string[]; refused: string[] } => {
  const isAllowed = (method: string): boolean => judgeCdp(method, { ...params }, access).allowed;
  return {
    allowed: METHODS.filter((method) => isAllowed(method) && !NOT_RUN.test(method)),
    refused: METHODS.filter((method) => !isAllowed(method) && !method.startsWith("Target.")),
  };
};

describe("V5, V6: every CDP method in a tab of a real browser does what the table says", () => {
  /** Together, because some of the refused methods ask the person, who does not answer. */
  it("locked to a site, without parameters and about another site", async () => {
    const access: CdpAccess = { level: "site", site: "shop.test", grants: new Set<Grant>() };
    const tabs = [];
    for (const params of [{}, ANOTHER_SITE]) {
      const { tabId } = await person.open(person.sites.url("shop.test"));
      await person.share(tabId, "site");
      tabs.push({ params, tab: await person.attach(tabId), ...split(access, params) });
    }
    person.sites.seen.length = 0;
    const wrong = tabs.map(async ({ tab, params, allowed, refused }) => [
      ...(await unexpected(tab, "refused", [...refused, ...UNKNOWN_METHODS], params)),
      ...(await unexpected(tab, "allowed", allowed, params)),
    ]);
    expect(await Promise.all(wrong)).toEqual([[], []]);
    expect(person.sites.requests("bank.test")).toEqual([]);
  });

  it("one chosen tab, without grants", async () => {
    const { tabId } = await person.open(person.sites.url("shop.test"));
    await person.share(tabId, "full");
    const tab = await person.attach(tabId);
    const access: CdpAccess = { level: "full", grants: new Set<Grant>() };
    const { allowed, refused } = split(access, {});
    const popup = await person.popup(tabId);
    let isDone = false;
    const refusing = (async () => {
      const refuse = popup
        .locator("#grants li")
        .getByRole("button", { name: /^Refuse/ })
        .first();
      while (!isDone) await refuse.click({ timeout: 500 }).catch(() => {});
    })();
    const wrong = await unexpected(tab, "refused", refused, {});
    isDone = true;
    await refusing;
    expect(wrong).toEqual([]);
    expect(await unexpected(tab, "allowed", allowed, {})).toEqual([]);
  });
});
