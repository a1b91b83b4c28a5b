import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ofType, servePage, stage } from "../e2e/hub/stage.js";
import { until } from "../fixtures.js";
import { closePages, sharedChromium } from "../support/chrome/chromium.js";
import { randomNumbers } from "../support/machine/long-mode.js";
import { FaultLog, rounds } from "./support/fault-log.js";
import { startWitness } from "./support/witness.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

/** The click is done when the witness has received it, which the page waits for. */
const pageWith = (witness: string): string => `<!doctype html><title>Faults</title>SDK
  <button onclick="const call = new XMLHttpRequest(); call.open('GET', '${witness}/click', false); call.send()">Go</button>`;

test("a page that ends at any moment of a click: exactly one answer, and no click is lost or done twice", async () => {
  const log = new FaultLog("page", "clicks");
  const random = randomNumbers();
  const witness = await startWitness();
  const { ready, agent: connect, open } = await stage(browser);
  const url = await servePage(pageWith(witness.url), ready.hub);
  let { page } = await open(url);
  const agent = await connect("page");
  await agent.next("ui_tree");
  const ends: Record<string, (page: Page) => Promise<void>> = {
    "a reload": (each) => each.evaluate(() => location.reload()).catch(() => {}),
    "a navigation": async (each) => {
      await each.goto("about:blank").catch(() => {});
      await each.goto(url);
    },
    "a closed page": async (each) => {
      await each.close();
      page = await each.context().newPage();
      await page.goto(url);
    },
    "a crash": async (each) => {
      const cdp = await each.context().newCDPSession(each);
      void cdp.send("Page.crash").catch(() => {});
      await new Promise((resolve) => each.once("crash", resolve));
      await each.close();
      page = await each.context().newPage();
      await page.goto(url);
    },
  };
  const names = Object.keys(ends);
  const count = rounds(8, 120);
  for (let round = 0; round < count; round++) {
    const name = names[round < names.length ? round : Math.floor(random() * names.length)] as string;
    const before = witness.times("click");
    const requestId = `cut-${round}`;
    agent.send({ type: "click", target: { text: "Go" }, requestId });
    const answered = agent.next("command_result", (each) => each.requestId === requestId);
    const moment = random() * 30;
    // On a slow machine the page would end before every answer; in the last round it ends right after it.
    if (round === count - 1) await answered;
    else if (moment > 5) await new Promise((resolve) => setTimeout(resolve, moment));
    const ended = ends[name]?.(page);
    const result = await answered;
    await ended;
    log.count(name);
    await page.waitForLoadState();
    await log.recover(() => until(async () => (await agent.command({ type: "get_state" })).success === true));
    const done = witness.times("click") - before;
    if (result.success) log.acknowledge(1);
    else expect(["outcome_unknown", "app_not_connected"]).toContain(result.error);
    if (done > 1) log.lose(`${requestId} was done ${done} times`);
    if (result.success && done === 0) log.lose(`${requestId} was acknowledged and not done`);
    if (result.error === "app_not_connected" && done > 0) log.lose(`${requestId} was refused and done`);
    expect(
      ofType(agent.received, "command_result").filter((each) => each.requestId === requestId),
    ).toHaveLength(1);
  }
  log.finish();
});
