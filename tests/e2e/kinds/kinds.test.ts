import { fileURLToPath } from "node:url";
import { type AgentClient, connect } from "@debug-bridge/client";
import { drivePage, fromPuppeteer } from "@debug-bridge/driver";
import type { CommandResult, SessionSummary, TimelineRecord } from "@debug-bridge/protocol";
import { type Browser, launch } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { CHROMIUM } from "../../support/chromium.js";
import { Stage } from "../relay/stage.js";
import { type Shop, serveShop } from "./shop.js";

/** One page in three ways: with the SDK in it, as a tab of a person's Chrome, in a Chrome that was launched. */
const KINDS = ["app", "tab", "browser"] as const;
type Kind = (typeof KINDS)[number];

let stage: Stage;
let shop: Shop;
let launched: Browser;
const clients = {} as Record<Kind, AgentClient>;

beforeAll(async () => {
  const script = (name: string) => ({
    file: fileURLToPath(import.meta.resolve(`@debug-bridge/browser/${name}`)),
    type: "text/javascript",
  });
  stage = await Stage.start({
    assets: new Map([
      ["/sdk.js", script("sdk.js")],
      ["/sdk-dom.js", script("sdk-dom.js")],
    ]),
  });
  shop = await serveShop(stage.hub.url);
  const open = (sessionId: string): Promise<AgentClient> =>
    connect({ hub: stage.hub.url, sessionId, token: stage.hub.token });

  const { executablePath, args } = CHROMIUM;
  launched = await launch({ executablePath, args: [...args] });
  const [withSdk] = await launched.pages();
  await withSdk?.goto(shop.url("/?app"));
  clients.app = await open("shop");

  const page = await launched.newPage();
  const driven = await drivePage(
    fromPuppeteer(await page.createCDPSession(), (gone) => page.once("close", gone)),
    { enableEval: true },
  );
  driven.connect(stage.hub.joinAsApp("launched"), { sessionId: "launched", kind: "browser" });
  await driven.run({ type: "navigate", url: shop.url("/?browser") });
  clients.browser = await open("launched");

  await stage.person.open(shop.url("/?tab"));
  const tab = await until(async () => (await sessions()).find(({ url }) => url?.endsWith("/?tab")));
  clients.tab = await open(tab.id);
}, 60_000);

afterAll(async () => {
  for (const client of Object.values(clients)) client.close();
  await launched?.close();
  await stage?.close();
  await shop?.close();
});

async function sessions(): Promise<SessionSummary[]> {
  const headers = { authorization: `Bearer ${stage.hub.token}` };
  const response = await fetch(`${stage.hub.url}/v1/sessions`, { headers });
  return ((await response.json()) as { sessions: SessionSummary[] }).sessions;
}

/** Refs, times and the page's own address differ; nothing else may. */
function plain<Value>(value: Value): Value {
  const text = JSON.stringify(value)
    .replace(/\be\d+\b/g, "e#")
    .replace(/\?(app|tab|browser)/g, "")
    .replace(/"(durationMs|version|timestamp)":[\d.]+/g, '"$1":0');
  return JSON.parse(text) as Value;
}

async function inAll<Value>(ask: (client: AgentClient) => Promise<Value>): Promise<Record<Kind, Value>> {
  const answers = {} as Record<Kind, Value>;
  for (const kind of KINDS) answers[kind] = plain(await ask(clients[kind]));
  return answers;
}

/** What the kinds have in common, once it is the same in all. */
async function same<Value>(ask: (client: AgentClient) => Promise<Value>): Promise<Value> {
  const { app, tab, browser } = await inAll(ask);
  expect(tab).toEqual(app);
  expect(browser).toEqual(app);
  return app;
}

const essence = ({ success, applied, value, receipt }: CommandResult) => {
  const { settled, appeared, vanished, changed, errors, console: lines, requests } = receipt ?? {};
  return {
    success,
    applied,
    value,
    receipt: { settled, appeared, vanished, changed, errors, lines, requests },
  };
};

describe("an SDK app, a tab and a launched browser", () => {
  it("[ARC-002, ARC-033] show the same elements, in the same words", async () => {
    const text = await same(async (client) => (await client.observe()).text.split("\n").slice(1, -1));
    expect(text).toContain('e# button "Buy"');
    expect(text.join("\n")).toContain('checkbox "Gift"');
  });

  it("[ARC-002, ARC-033] give the same receipts for the same acts", async () => {
    const bought = await same(async (client) =>
      essence(await client.act({ type: "click", target: { text: "Buy" } })),
    );
    expect(bought.receipt).toMatchObject({
      appeared: [{ role: "link", name: "Cart (1)" }],
      lines: [{ level: "info", text: 'bought {"sku":"a1"}' }],
      requests: [{ method: "POST", status: 201 }],
    });
    await same(async (client) =>
      essence(await client.act({ type: "type", target: { role: "textbox", name: "Name" }, text: "Ada" })),
    );
    await same(async (client) =>
      essence(
        await client.act({ type: "select", target: { role: "combobox", name: "Size" }, values: ["L"] }),
      ),
    );
    await same(async (client) => essence(await client.act({ type: "click", target: { text: "Gift" } })));
    await same(async (client) => essence(await client.act({ type: "press", key: "Escape" })));
    const failed = await same(async (client) =>
      essence(await client.act({ type: "click", target: { text: "Break" } })),
    );
    expect(failed.receipt.errors).toEqual(["Uncaught TypeError: broken"]);
  });

  it("[ARC-002] refuse the same things with the same codes", async () => {
    const codes = await same(async (client) => {
      const refused: (string | undefined)[] = [];
      for (const target of [{ text: "Nothing" }, { ref: "e1" }, { text: "Remove" }, { text: "Sold out" }]) {
        const error = await client.act({ type: "click", target }).catch((thrown: { code: string }) => thrown);
        refused.push((error as { code?: string }).code);
      }
      return refused;
    });
    expect(codes).toEqual(["target_not_found", "stale_ref", "ambiguous_target", "not_actionable"]);
  });

  it("[ARC-036] tell the same of what the page does", async () => {
    const records = await inAll(async (client) => {
      const told: TimelineRecord[] = [];
      const reading = (async () => {
        for await (const record of client.events()) {
          told.push(record);
          if (JSON.stringify(record.data).includes("all done")) return;
        }
      })();
      await client.act({ type: "click", target: { text: "Talk" }, settle: { quietMs: 200 } });
      await reading;
      const data = told
        .filter(({ type }) => ["console", "error", "unhandledrejection", "network"].includes(type))
        .map(({ data }) => data as Record<string, unknown>);
      return data
        .filter(({ method }) => !String(method).startsWith("browser:"))
        .map(({ type, level, args, message, reason, phase, api, method, url, status, responseBytes }) => ({
          ...{ type, level, args, message, reason, phase, api, method, url, status, responseBytes },
        }))
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    });
    expect(records.app.length).toBeGreaterThan(6);
    expect(records.tab).toEqual(records.app);
    expect(records.browser).toEqual(records.app);
  });

  it("[ARC-034] are clicked by trusted input where there is CDP, and only there", async () => {
    const trusted = await inAll(async (client) => {
      const { receipt } = await client.act({ type: "click", target: { text: "Trust" } });
      return receipt?.console?.[0]?.text;
    });
    expect(trusted).toEqual({ app: "trusted false", tab: "trusted true", browser: "trusted true" });
  });

  it("[ARC-024] are photographed where there is CDP; an app says what to do instead", async () => {
    for (const kind of ["tab", "browser"] as const) {
      const { value } = await clients[kind].act({ type: "screenshot" });
      const { data } = value as { data: string };
      expect(Buffer.from(data, "base64").subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    }
    await expect(clients.app.act({ type: "screenshot" })).rejects.toMatchObject({ code: "not_supported" });
  });
});
