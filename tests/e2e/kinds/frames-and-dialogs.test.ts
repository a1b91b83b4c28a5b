import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { connect } from "@debug-bridge/client";
import type { TimelineRecord } from "@debug-bridge/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { AllKinds, KINDS, type Kind } from "./all-kinds.js";

let kinds: AllKinds;

beforeAll(async () => {
  kinds = await AllKinds.start();
});

afterAll(() => kinds?.close());

/** Opens the page with a frame of another site. */
async function openFramed(kind: Kind, pay = ""): Promise<void> {
  const client = kinds.clients[kind];
  const url = kinds.shop.url(`/framed?${kind}&pay=${pay}`);
  await client.act({ type: "navigate", url }).catch(() => {});
  await until(async () => (await client.observe().catch(() => undefined))?.text.includes("Checkout"));
}

async function recordsOf(kind: Kind): Promise<TimelineRecord[]> {
  const response = await fetch(`${kinds.hub.url}/v1/sessions/${kinds.ids[kind]}/events`, {
    headers: { authorization: `Bearer ${kinds.hub.token}` },
  });
  return ((await response.json()) as { events: TimelineRecord[] }).events;
}

describe.each(["tab", "browser"] as const)("a frame of another site in a %s session", (kind) => {
  it(`is seen, typed into and clicked, and its records are the session's (${kind})`, async () => {
    await openFramed(kind, "broken");
    const client = kinds.clients[kind];
    const text = await until(async () => {
      const seen = (await client.observe()).text;
      return seen.includes("Card") ? seen : undefined;
    });
    expect(text).toMatch(/frame f\d+ "http:\/\/localhost:\d+\/pay[^"]*"\n {2}## Card\n/);
    const ref = /(f\d+e\d+) textbox "Number"/.exec(text)?.[1] ?? "";
    expect(await client.act({ type: "type", target: { ref }, text: "4242" })).toMatchObject({
      applied: true,
    });
    const { receipt } = await client.act({ type: "click", target: { role: "button", name: "Pay" } });
    expect(receipt).toMatchObject({
      appeared: [{ role: "button", name: "Receipt" }],
      console: [{ level: "info", text: "paid 4242" }],
      requests: [{ method: "POST", status: 201 }],
    });
    const isError = ({ type, data }: TimelineRecord): boolean =>
      type === "error" && JSON.stringify(data).includes("missing is not defined");
    await until(async () => (await recordsOf(kind)).some(isError));
  });
});

it("diagnose is not healthy when a frame is not, and healthy when all are", async () => {
  const diagnose = async (pay: string): Promise<{ healthy: boolean; findings: { what: string }[] }> => {
    const url = kinds.shop.url(`/framed?pay=${pay}`);
    const { result } = await kinds.browserAction(`<type>diagnose</type><url>${url}</url>`);
    return result as { healthy: boolean; findings: { what: string }[] };
  };
  const broken = await diagnose("broken");
  expect(broken.healthy).toBe(false);
  expect(JSON.stringify(broken.findings)).toContain("missing is not defined");
  expect(await diagnose("fine")).toMatchObject({ healthy: true, findings: [] });
});

it("an SDK session names a frame that it cannot enter, with its address", async () => {
  await openFramed("app");
  // Until it is loaded, it is an empty frame of the page itself.
  const named = /frame "http:\/\/localhost:\d+\/pay[^"]*" cannot be read/;
  await until(async () => named.test((await kinds.clients.app.observe()).text));
});

it("dialogs of actions are answered, by a rule or by Cancel, and reported in the same words in every kind", async () => {
  for (const kind of KINDS) {
    await openFramed(kind);
    const client = kinds.clients[kind];
    const empty = async (): Promise<string[] | undefined> => {
      const { receipt } = await client.act({ type: "click", target: { text: "Empty" } });
      return receipt?.console?.map(({ text }) => text);
    };
    const asked = "confirm: Empty the cart?";
    expect(await empty(), kind).toEqual([asked, `${asked} answered Cancel by the bridge`]);
    expect(await client.act({ type: "dialog", action: "accept" }), kind).toMatchObject({ success: true });
    expect(await empty(), kind).toEqual([asked, `${asked} answered OK by the bridge`]);
    expect((await client.observe()).text, kind).toContain("emptied");
  }
});

describe.each(["tab", "browser"] as const)("what an action opens or downloads in a %s session", (kind) => {
  it(`new pages are sessions that the receipt names (${kind})`, async () => {
    await openFramed(kind);
    for (const text of ["Popup", "New tab"]) {
      const { receipt } = await kinds.clients[kind].act({ type: "click", target: { text } });
      expect(receipt?.opened, text).toMatchObject([
        { url: expect.stringContaining("/pay"), sessionId: expect.any(String) },
      ]);
      const sessionId = receipt?.opened?.[0]?.sessionId ?? "";
      const popup = await connect({ hub: kinds.hub.url, sessionId, token: kinds.hub.token });
      await until(async () => (await popup.observe()).text.includes("Card"));
      popup.close();
    }
  });

  it(`downloads are named in the receipt and kept in the folder of the session (${kind})`, async () => {
    await openFramed(kind);
    const places = new Set<string>();
    for (let times = 0; times < 2; times++) {
      const { receipt } = await kinds.clients[kind].act({ type: "click", target: { text: "Export" } });
      expect(receipt?.downloads).toMatchObject([{ name: "orders.csv", state: "done", bytes: 8 }]);
      const path = receipt?.downloads?.[0]?.path ?? "";
      expect(dirname(dirname(path))).toBe(join(kinds.home, "downloads"));
      expect(await readFile(path, "utf8")).toBe("a,b\n1,2\n");
      places.add(path);
    }
    expect(places.size).toBe(2);
  });
});
