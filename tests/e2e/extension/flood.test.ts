import type { ConsoleError } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { quietTime } from "../../support/chrome/quiet-time.js";
import { hopWhile, usualDelay } from "../../support/machine/machine-delay.js";
import { setUpExtension } from "./extension-fixture.js";

const fixture = setUpExtension();

const warnings = (): ConsoleError[] =>
  fixture.hub.messages.filter(
    (message): message is ConsoleError => message.type === "error" && message.payload.code === "RATE_LIMIT",
  );

describe("many console events", () => {
  it("[CON-069] all arrive at 100 a second, in order and in time", async () => {
    const { browser, hub } = fixture;
    await browser.run(`
      let n = 0;
      const timer = setInterval(() => { console.log("steady " + n); if (++n === 300) clearInterval(timer) }, 10);
    `);
    const hop = await hopWhile(hub.event("steady 299"));
    const events = hub.events.filter(({ payload }) => String(payload.args[0]?.value).startsWith("steady"));
    expect(events.map(({ payload }) => payload.args[0]?.value)).toEqual(
      Array.from({ length: 300 }, (_, i) => `steady ${i}`),
    );
    expect(warnings()).toEqual([]);
    const delays = events.map((event) => (hub.receivedAt.get(event) ?? 0) - Date.parse(event.timestamp));
    // Half of the 50 ms until an event must be shown, or what a busy machine takes to reach page, browser, worker and hub.
    expect(usualDelay(delays)).toBeLessThan(Math.max(quietTime(25), 6 * hop));
  });

  it("are sent in batches above 50 a second, in order", async () => {
    const { browser, hub } = fixture;
    const before = hub.frames.length;
    await browser.run(`for (let n = 0; n < 180; n++) console.log("fast " + n)`);
    await hub.event("fast 179");
    expect(hub.lines.filter((line) => line.startsWith("fast"))).toEqual(
      Array.from({ length: 180 }, (_, i) => `fast ${i}`),
    );
    const batches = hub.frames.slice(before).filter((frame) => frame.startsWith("["));
    expect(batches.length).toBeGreaterThan(0);
    expect(Math.max(...batches.map((frame) => (JSON.parse(frame) as unknown[]).length))).toBeLessThanOrEqual(
      200,
    );
  });

  it("[CON-071, CON-072] are dropped above 200 a second, logs first, and a warning reports how many", async () => {
    const { browser, hub } = fixture;
    await browser.run(`
      for (let n = 0; n < 1000; n++) console.log("flood " + n);
      for (let n = 0; n < 100; n++) console.error("bad " + n);
      for (let n = 0; n < 50; n++) console.warn("hm " + n);
    `);
    const warning = await until(() => warnings()[0]);
    expect(hub.lines.filter((line) => line.startsWith("bad")).length).toBe(100);
    expect(hub.lines.filter((line) => line.startsWith("hm")).length).toBe(50);
    const logs = hub.lines.filter((line) => line.startsWith("flood"));
    expect(logs).toEqual(Array.from({ length: 200 }, (_, i) => `flood ${i}`));
    const { tabId } = (await hub.event("flood 0")).source;
    expect(warning).toMatchObject({ payload: { details: { dropped: 800, tabId } }, source: { tabId } });
  });

  it("come from 50 tabs at once, each under its own name", async () => {
    const { browser, hub } = fixture;
    const tabs = Array.from({ length: 50 }, (_, i) => i);
    for (const i of tabs) await browser.open(browser.serve(`/tab-${i}`, `console.log("tab ${i}")`));
    const events = await Promise.all(tabs.map((i) => hub.event(`tab ${i}`)));
    expect(new Set(events.map(({ source }) => source.tabId)).size).toBe(50);
    expect(events.map(({ source }) => source.url)).toEqual(tabs.map((i) => browser.url(`/tab-${i}`)));
    expect(events.map(({ source }) => source.title)).toEqual(tabs.map((i) => `Test /tab-${i}`));
  });
});
