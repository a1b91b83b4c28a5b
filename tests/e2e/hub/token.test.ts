import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { servePage, stage } from "./stage.js";

const PAGE = "<!doctype html><html><head>SDK</head><body><button>Go</button></body></html>";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

describe("an app of a hub that requires a token", () => {
  it("connects with the given token, as a subprotocol, and not without it [APP-043, APP-081, ARC-062]", async () => {
    const { ready, token, agent, open } = await stage(browser, ["--host", "0.0.0.0"]);
    const hub = ready.hub.replace("0.0.0.0", "127.0.0.1");
    const sessions = async () =>
      (await (await fetch(`${hub}/v1/sessions?token=${token}`)).json()) as { sessions: { id: string }[] };
    await open(await servePage(PAGE, hub, 'data-session="without"'));
    const { page } = await open(await servePage(PAGE, hub, `data-session="with" data-token="${token}"`));
    await until(async () => (await sessions()).sessions.some(({ id }) => id === "with"));
    const client = await agent("with");
    expect(await client.command({ type: "click", target: { text: "Go" } })).toMatchObject({ success: true });
    expect((await sessions()).sessions.map(({ id }) => id)).toEqual(["with"]);
    expect(page.url()).not.toContain(token);
  });
});
