import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures.js";
import { startModelServer } from "../../support/agents/model-server.js";
import { codexHome, startChatHub } from "../../support/chat/chat.js";
import { beside } from "./beside.js";
import { say } from "./stage.js";

const CLICK = { type: "click", target: { role: "button", name: "Count" } };

describe("a chat in the side panel", () => {
  it("lets the reference agent act in the tab: the effect is in the tab and in the step", async () => {
    const model = await startModelServer([{ tool: "act", input: CLICK }, { text: "It **works**." }]);
    const env = { DEBUG_BRIDGE_MODEL: "stand-in", DEBUG_BRIDGE_MODEL_URL: `${model.url}/v1` };
    const hub = await startChatHub(temporaryFolder(), { env });
    const { tab, panel } = await beside(hub);
    await panel.getByRole("radio", { name: "The reference agent" }).check();
    await say(panel, "Press Count");
    await panel.getByRole("button", { name: "Allow once" }).click();
    await panel.locator("strong", { hasText: "works" }).waitFor();
    await tab.getByRole("button", { name: "Clicked 1" }).waitFor();
    await panel.locator(".step .title", { hasText: /Acted in the page|Clicked Count/ }).waitFor();
    expect(await panel.getByRole("alert").count()).toBe(0);
  });

  it("lets the real Codex look at the tab and act in it: steps show what it saw and did, and open the receipt", async () => {
    const model = await startModelServer([
      { tool: "screenshot", namespace: "mcp__debug_bridge", input: {} },
      { tool: "act", namespace: "mcp__debug_bridge", input: CLICK },
      { text: "Done, it says *Clicked 1*." },
    ]);
    const hub = await startChatHub(temporaryFolder(), { env: { CODEX_HOME: codexHome(model.url) } });
    const { tab, panel } = await beside(hub);
    await panel.getByRole("radio", { name: "Codex" }).check();
    await say(panel, "Press Count");
    await panel.getByRole("button", { name: "Allow once" }).click();
    await panel.locator("em", { hasText: "Clicked 1" }).waitFor();
    await tab.getByRole("button", { name: "Clicked 1" }).waitFor();
    await panel.getByText("Clicked Count", { exact: true }).click();
    await panel.getByText("console.log: Clicked 1").waitFor();
    expect(await panel.locator(".step pre").first().textContent()).not.toContain("untrusted data");
    await panel.getByText("Context: unavailable").waitFor();
    await panel.getByRole("button", { name: "Open picture: what the agent saw: Took a screenshot" }).click();
    const seen = panel.getByRole("dialog").getByRole("img");
    const { width } = await tab.evaluate(() => ({ width: innerWidth }));
    expect(await seen.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(width);
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
      await page.getByRole("button", { name: "Allow once" }).click();
      await page.getByText("Paused", { exact: true }).waitFor();
      expect(model.requests).toHaveLength(1);
      await page.getByRole("button", { name: "Step" }).click();
      await page.locator(".step .title", { hasText: "Read the console" }).waitFor();
      await page.getByText("Paused", { exact: true }).waitFor();
      expect(model.requests).toHaveLength(2);
      expect(await page.getByText("All done.").count()).toBe(0);
      await page.getByRole("button", { name: "Resume" }).click();
      await page.getByText("All done.").waitFor();
      expect(await page.getByText("Paused", { exact: true }).count()).toBe(0);
    },
  );
});
