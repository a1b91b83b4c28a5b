import type { TelemetryBody } from "@debug-bridge/page";
import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { bundleScript, root } from "../page/browser.js";
import { ExtensionBrowser } from "./extension-browser.js";
import { FakeHub } from "./fake-hub.js";

let browser: ExtensionBrowser;
let hub: FakeHub;

beforeAll(async () => {
  hub = await FakeHub.start();
  browser = await ExtensionBrowser.launch();
  await browser.use(hub.address);
  await until(() => hub.messages.length > 0);
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
});

it("gives a call and an error the same id as the SDK in the page", async () => {
  const engine = await bundleScript(`${root}packages/page/dist/index.js`, "DebugBridgePage");
  const page = await browser.run(`${engine}
    globalThis.messages = [];
    const engine = DebugBridgePage.createPageEngine({ instanceId: "page-1", emit: (message) => messages.push(message) });
    engine.start();
    console.log("both");
    console.log("both");
    setTimeout(() => { throw new Error("uncaught") });
    Promise.reject(new Error("rejected"));
    setTimeout(() => console.log("end"), 100);`);
  const end = await hub.event("end");
  const seen = hub.events
    .filter(({ source }) => source.documentId === end.source.documentId)
    .map(({ payload }) => payload.callId);
  const told = (
    (await page.evaluate("messages")) as (TelemetryBody & { callId?: string; args?: string[] })[]
  ).filter(({ type }) => /^(?:console|error|unhandledrejection)$/.test(type));
  const ids = told.map(({ callId }) => callId);
  expect(ids).toHaveLength(5);
  expect(new Set(ids).size).toBe(5);
  for (const id of ids) expect(id).toMatch(/^page-1:e?\d+$/);
  expect([...seen].sort()).toEqual([...ids].sort());
});

it("gives no ids without the SDK, and none that are not text", async () => {
  await browser.run(`
    globalThis[Symbol.for("debug-bridge.identity")] = { callId: { toString: () => "x" }, get instanceId() { throw 1 } };
    console.log("plain line");`);
  expect((await hub.event("plain line")).payload.callId).toBeUndefined();
});
