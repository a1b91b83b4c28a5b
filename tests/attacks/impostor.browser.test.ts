import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { servePage, stage } from "../e2e/hub/stage.js";
import { until } from "../fixtures.js";
import { closePages, sharedChromium } from "../support/chrome/chromium.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

const FORM = "<!doctype html>SDK<title>Shop</title><label>Password <input type=password></label>";
/** Says that it is the shop's page, and keeps everything that the hub sends. */
const impostor = (hub: string): string => `<!doctype html><title>Shop</title><script>
  globalThis.got = []; globalThis.ended = undefined;
  const socket = new WebSocket("${hub.replace("http", "ws")}/debug?role=app&sessionId=page");
  const base = { sessionId: "page", timestamp: Date.now(), origin: "app" };
  socket.onopen = () => {
    socket.send(JSON.stringify({ ...base, type: "hello", url: "http://localhost:3000/", userAgent: "x",
      instanceId: "impostor", kind: "tab" }));
    socket.send(JSON.stringify({ ...base, type: "console", level: "log", args: ["forged line"] }));
  };
  socket.onmessage = ({ data }) => got.push(data);
  socket.onclose = ({ code, reason }) => { ended = { code, reason }; };
</script>`;

describe("V14: a page on another port of this machine", () => {
  it("cannot join the session of an app, get what is typed into it, or forge its records", async () => {
    const { ready, token, agent: connect, open } = await stage(browser);
    const agent = await connect("page");
    const { page } = await open(await servePage(FORM, ready.hub));
    await agent.next("ui_tree");
    const { page: evil } = await open(await servePage(impostor(ready.hub), ready.hub));
    const ended = await until(() => evil.evaluate("globalThis.ended"));
    expect(ended).toEqual({
      code: 1008,
      reason: expect.stringContaining('session "page" belongs to pages of'),
    });
    const typed = { type: "type", target: { selector: "input" }, text: "correct horse battery" };
    const response = await fetch(`${ready.hub}/v1/sessions/page/commands`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(typed),
    });
    expect(await response.json()).toMatchObject({ success: true });
    expect(await page.inputValue("input")).toBe("correct horse battery");
    expect(await evil.evaluate("JSON.stringify(globalThis.got)")).not.toContain("correct horse");
    const events = await (
      await fetch(`${ready.hub}/v1/sessions/page/events`, { headers: { authorization: `Bearer ${token}` } })
    ).text();
    expect(events).not.toContain("forged line");
  });

  it("has a separate session when it asks for one, with its own origin on every record", async () => {
    const { ready, token, open } = await stage(browser);
    const url = await servePage(impostor(ready.hub), ready.hub);
    await open(url);
    const { events } = await until(async () => {
      const response = await fetch(`${ready.hub}/v1/sessions/page/events`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const body = (await response.json()) as { events: { type: string }[] };
      return body.events?.length === 2 && body;
    });
    const origin = new URL(url).origin;
    expect(events).toMatchObject([
      { type: "hello", origin, instanceId: "impostor", data: { kind: "app" } },
      { type: "console", origin, data: { origin } },
    ]);
  });
});

describe("low: a page of a foreign site", () => {
  it("cannot load the script of the hub", async () => {
    const { ready, open } = await stage(browser);
    const html = `<!doctype html><script>globalThis.seen = "nothing"</script>
      <script src="${ready.hub}/sdk.js" onload="seen = 'loaded'" onerror="seen = 'failed'"></script>`;
    const local = await servePage(html, ready.hub);
    const { page: own } = await open(local);
    expect(await until(async () => (await own.evaluate("seen")) !== "nothing" && own.evaluate("seen"))).toBe(
      "loaded",
    );
    // A document without an origin stands for a foreign one: its requests have no Referer.
    const framed = `<!doctype html><iframe sandbox="allow-scripts" srcdoc='${html
      .replaceAll("'", "&#39;")
      .replace("<script src", "<script referrerpolicy=no-referrer src")}'></iframe>`;
    const { page: foreign } = await open(await servePage(framed, ready.hub));
    const frame = foreign.frames()[1];
    expect(
      await until(async () => (await frame?.evaluate("seen")) !== "nothing" && frame?.evaluate("seen")),
    ).toBe("failed");
  });
});
