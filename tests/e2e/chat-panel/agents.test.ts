import { EXTENSION_ID } from "@debug-bridge/extension/id";
import { type Browser, chromium, type Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { type ChatHub, codexHome, startChatHub } from "../../support/chat.js";
import { startModelServer } from "../../support/model-server.js";
import { startSite } from "../relay/site.js";
import { Person } from "../relay/stage.js";
import { say } from "./stage.js";

const CLICK = { type: "click", target: { role: "button", name: "Count" } };

const relayOf = (hub: ChatHub): string => JSON.parse(hub.output.stdout.split("\n")[0] ?? "").relay;

/** A person's browser with a tab and the panel, paired with a real hub. */
async function beside(hub: ChatHub): Promise<{ tab: Page; panel: Page }> {
  const site = await startSite();
  const person = await Person.start(relayOf(hub), [site.url("/")]);
  const browser: Browser = await chromium.connectOverCDP(person.endpoint);
  onTestFinished(async () => {
    await browser.close();
    await person.close();
    await site.close();
  });
  await until(async () =>
    (await hub.json("/v1/sessions")).sessions.some(({ url }: { url?: string }) => url === site.url("/")),
  );
  const [context] = browser.contexts();
  const tab = await until(() => context?.pages().find((page) => page.url() === site.url("/")));
  const panel = (await context?.newPage()) as Page;
  await panel.goto(`chrome-extension://${EXTENSION_ID}/panel.html`);
  await panel.locator('.chat-app[data-connection="live"]').waitFor();
  await panel.getByText("Page in front: Home").waitFor({ state: "attached" });
  return { tab, panel };
}

describe("a chat in the side panel", () => {
  it("lets the reference agent act in the tab: the effect is in the tab and in the step", async () => {
    const model = await startModelServer([{ tool: "act", input: CLICK }, { text: "It **works**." }]);
    const env = { DEBUG_BRIDGE_MODEL: "stand-in", DEBUG_BRIDGE_MODEL_URL: `${model.url}/v1` };
    const hub = await startChatHub(temporaryFolder(), { env });
    const { tab, panel } = await beside(hub);
    await panel.getByRole("radio", { name: "The reference agent" }).check();
    await say(panel, "Press Count");
    await panel.locator("strong", { hasText: "works" }).waitFor();
    await tab.getByRole("button", { name: "Clicked 1" }).waitFor();
    await panel.locator(".step .title", { hasText: /Acted in the page|Clicked Count/ }).waitFor();
    expect(await panel.getByRole("alert").count()).toBe(0);
  });

  it("lets the real Codex act in the tab, and the step says what it did and opens its receipt", async () => {
    const model = await startModelServer([
      { tool: "act", namespace: "mcp__debug_bridge", input: CLICK },
      { text: "Done, it says *Clicked 1*." },
    ]);
    const hub = await startChatHub(temporaryFolder(), { env: { CODEX_HOME: codexHome(model.url) } });
    const { tab, panel } = await beside(hub);
    await panel.getByRole("radio", { name: "Codex" }).check();
    await say(panel, "Press Count");
    await panel.locator("em", { hasText: "Clicked 1" }).waitFor();
    await tab.getByRole("button", { name: "Clicked 1" }).waitFor();
    await panel.getByText("Clicked Count", { exact: true }).click();
    await panel.getByText("console.log: Clicked 1").waitFor();
    expect(await panel.locator(".step pre").first().textContent()).not.toContain("page content");
    await panel.getByText("Context: unavailable").waitFor();
  });

  it.each(["side panel", "/chat"] as const)(
    "pauses, steps and resumes the agent in the %s",
    async (where) => {
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const model = await startModelServer(
        [{ tool: "act", input: CLICK }, { tool: "logs", input: {} }, { text: "All done." }],
        (request) => (request === 1 ? held : Promise.resolve()),
      );
      const env = { DEBUG_BRIDGE_MODEL: "stand-in", DEBUG_BRIDGE_MODEL_URL: `${model.url}/v1` };
      const hub = await startChatHub(temporaryFolder(), { env });
      const { tab, panel } = await beside(hub);
      const page = where === "/chat" ? await tab.context().newPage() : panel;
      if (where === "/chat") await page.goto(`${hub.url}/chat#token=${hub.token}`);
      await page.getByRole("radio", { name: "The reference agent" }).check();
      await say(page, "Press Count");
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByText("Pausing…").waitFor();
      release();
      await page.getByText("Paused", { exact: true }).waitFor();
      expect(model.requests).toHaveLength(1);
      await page.getByRole("button", { name: "Step" }).click();
      await page.locator(".step .title", { hasText: "Clicked Count" }).waitFor();
      await page.getByText("Paused", { exact: true }).waitFor();
      expect(model.requests).toHaveLength(2);
      expect(await page.getByText("All done.").count()).toBe(0);
      await page.getByRole("button", { name: "Resume" }).click();
      await page.getByText("All done.").waitFor();
      await page.locator(".step .title", { hasText: "Read the console" }).waitFor();
      expect(await page.getByText("Paused", { exact: true }).count()).toBe(0);
    },
  );
});
