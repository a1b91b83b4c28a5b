import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { claudeHub } from "../../support/agents/claude.js";
import { payloads, textOf } from "../../support/chat/chat.js";
import { beside, openBeside } from "./beside.js";
import { say } from "./stage.js";

const CLICK = { type: "click", target: { role: "button", name: "Count" } };

/** Closes every window, as a person does who quits the browser. */
async function quit(page: Page): Promise<void> {
  const browser = page.context().browser();
  const session = await browser?.newBrowserCDPSession();
  await session?.send("Browser.close").catch(() => {});
  await until(() => browser?.isConnected() === false);
}

describe("a person who closes the browser in the middle of a run", () => {
  it("finds the whole conversation and the answer in the next browser, and continues the thread of Claude Code", async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let requests = 0;
    const { hub, model, calls } = await claudeHub(
      [
        { tool: "mcp__debug-bridge__act", input: CLICK },
        { text: "I pressed it. The code is 4711." },
        { text: "It was 4711." },
      ],
      async () => {
        requests++;
        if (requests === 2) await held;
      },
    );
    const { person, site, tab, panel } = await beside(hub);
    await panel.getByRole("radio", { name: "Claude Code" }).check();
    await say(panel, "Press Count");
    await panel.getByRole("button", { name: "Allow once" }).click();
    await tab.getByRole("button", { name: "Clicked 1" }).waitFor();
    await panel.getByText("Clicked Count", { exact: true }).waitFor();
    await until(() => requests === 2);
    await quit(panel);
    const [chat] = (await hub.json("/v1/chats")).chats;
    expect(chat.runId).toMatch(/^\w{26}$/);
    release();
    const first = await hub.ended(chat.id, chat.runId);
    expect(textOf(first)).toBe("I pressed it. The code is 4711.");

    await person.restart(site.url("/"));
    const next = await openBeside(hub, person, site);
    await next.panel.locator(".chats li button", { hasText: "Press Count" }).click();
    await next.panel.getByText("I pressed it. The code is 4711.").waitFor();
    await next.panel.getByText("Clicked Count", { exact: true }).waitFor();
    await next.panel.locator(".turns").getByText("Press Count", { exact: true }).waitFor();
    expect(await next.panel.getByText("Clicked Count", { exact: true }).count()).toBe(1);
    await say(next.panel, "Which code?");
    await next.panel.getByText("It was 4711.").waitFor();
    const [{ sessionId: thread } = { sessionId: "" }] = payloads(first, "run.provider_session");
    expect(calls().at(-1)?.slice(-2)).toEqual(["--resume", thread]);
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("The code is 4711.");
  });
});
