import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { claudeHub } from "../../support/agents/claude.js";
import { type ModelTurn, startModelServer } from "../../support/agents/model-server.js";
import { type ChatHub, startChatHub } from "../../support/chat/chat.js";
import { violations } from "./axe.js";
import { beside } from "./beside.js";
import { say } from "./stage.js";

const CLICK: ModelTurn = {
  tool: "act",
  input: { type: "click", target: { role: "button", name: "Count" } },
};

/** A hub whose reference agent does these turns, and a person's browser with the panel. */
async function withAgent(turns: readonly ModelTurn[]): Promise<{ hub: ChatHub; tab: Page; panel: Page }> {
  const model = await startModelServer(turns);
  const env = { DEBUG_BRIDGE_MODEL: "stand-in", DEBUG_BRIDGE_MODEL_URL: `${model.url}/v1` };
  const hub = await startChatHub(temporaryFolder(), { env });
  return { hub, ...(await beside(hub)) };
}

async function ask(panel: Page, text: string): Promise<void> {
  await panel.getByRole("radio", { name: "The reference agent" }).check();
  await say(panel, text);
}

const card = (page: Page) => page.getByRole("region", { name: "act on this site?" });

describe("the first time that an agent wants to act on a site", () => {
  it("asks in the conversation, says so to a screen reader, and goes on when the person allows it with the keyboard", async () => {
    const { hub, tab, panel } = await withAgent([CLICK, CLICK, { text: "It counts." }]);
    await ask(panel, "Press Count");
    await card(panel).waitFor();
    const { origin } = new URL(tab.url());
    expect(await card(panel).innerText()).toContain(origin);
    expect(await card(panel).innerText()).toMatch(/click.*Count/i);
    await panel.getByText("The reference agent waits for your answer").waitFor();
    const announced = panel.locator('[aria-live="assertive"]');
    expect(await announced.textContent()).toContain(`may it act on ${origin}?`);
    expect(await tab.getByRole("button", { name: "Count", exact: true }).count()).toBe(1);
    for (const colorScheme of ["light", "dark"] as const) {
      await panel.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect(await violations(panel), colorScheme).toEqual([]);
    }
    // Another window shows the same question.
    const page = await tab.context().newPage();
    await page.goto(`${hub.url}/chat${new URL(panel.url()).hash}&token=${hub.token}`);
    await card(page).waitFor();
    const { keyboard } = panel;
    const focused = (): Promise<string> => panel.evaluate(() => document.activeElement?.textContent ?? "");
    for (let i = 0; i < 20 && (await focused()) !== "Allow once"; i++) await keyboard.press("Shift+Tab");
    expect(await focused()).toBe("Allow once");
    await keyboard.press("Enter");
    await panel.getByText(`Allowed on ${origin}`).first().waitFor();
    await page.getByText(`Allowed on ${origin}`).first().waitFor();
    await tab.getByRole("button", { name: "Clicked 1" }).waitFor();
  });

  it("notifies the agent when the person refuses, and does nothing in the page", async () => {
    const { tab, panel } = await withAgent([CLICK, { text: "I may not." }]);
    await ask(panel, "Press Count");
    await card(panel).getByRole("button", { name: "Refuse" }).click();
    await panel.getByText("I may not.").waitFor();
    await panel.getByText(`Refused on ${new URL(tab.url()).origin}`).waitFor();
    await panel.locator(".step .title", { hasText: "Could not click Count" }).waitFor();
    expect(await tab.getByRole("button", { name: "Count", exact: true }).count()).toBe(1);
  });

  it("does not ask again on a site that the person always allows, in another chat too", async () => {
    const click = { tool: "act", input: { type: "click", target: { selector: "#count" } } };
    const { tab, panel } = await withAgent([click, { text: "Once." }, click, { text: "Twice." }]);
    await ask(panel, "Press Count");
    await card(panel).getByRole("button", { name: "Always on this site" }).click();
    await panel.getByText("Once.").waitFor();
    await panel.setViewportSize({ width: 1_000, height: 700 });
    await panel.getByRole("button", { name: "New chat" }).click();
    await ask(panel, "Again");
    await panel.getByText("Twice.").waitFor();
    expect(await card(panel).count()).toBe(0);
    await tab.getByRole("button", { name: "Clicked 2" }).waitFor();
  });

  it("lists the sites that are always allowed, and asks again on one that was removed with the keyboard", async () => {
    const click = { tool: "act", input: { type: "click", target: { selector: "#count" } } };
    const { hub, tab, panel } = await withAgent([click, { text: "Once." }, click, { text: "Never." }]);
    const { origin } = new URL(tab.url());
    await panel.setViewportSize({ width: 1_000, height: 700 });
    const dialog = panel.getByRole("dialog", { name: "Sites where agents may act" });
    await panel.getByRole("button", { name: "Sites where agents may act" }).press("Enter");
    await dialog.getByText(/^None\. An agent asks/).waitFor();
    expect(await violations(panel)).toEqual([]);
    await panel.keyboard.press("Escape");
    await ask(panel, "Press Count");
    await card(panel).getByRole("button", { name: "Always on this site" }).click();
    await panel.getByText("Once.").waitFor();

    await panel.setViewportSize({ width: 320, height: 700 });
    await panel.getByRole("button", { name: "Chats" }).press("Enter");
    await panel.getByRole("button", { name: "Sites where agents may act" }).press("Enter");
    await dialog.getByText(origin).waitFor();
    expect(await violations(panel)).toEqual([]);
    await dialog.getByRole("button", { name: `Remove ${origin}` }).press("Enter");
    await dialog.getByText(/^None\./).waitFor();
    expect(await hub.json("/v1/chat-approvals")).toEqual({ approvals: [] });
    await panel.keyboard.press("Escape");
    await panel.getByRole("button", { name: "New chat" }).click();
    await ask(panel, "Again");
    await card(panel).getByRole("button", { name: "Refuse" }).click();
    await panel.getByText("Never.").waitFor();
    expect(await tab.getByRole("button", { name: "Clicked 1" }).count()).toBe(1);
  });

  it("waits in the middle of browser_action, and after code of execute was refused, for the person's answer", async () => {
    const code = "await page.locator('#count').click(); return await page.locator('#count').textContent();";
    let site = "";
    const start = {
      tool: "mcp__debug-bridge__browser_action",
      get input() {
        return { instruction: `<type>start</type><url>${site}</url>` };
      },
    };
    const execute = { tool: "mcp__debug-bridge__execute", input: { code } };
    const { hub, model } = await claudeHub([start, execute, execute, { text: "Both work." }]);
    const { tab, site: pages, panel } = await beside(hub);
    site = pages.url("/", "localhost");
    await panel.getByRole("radio", { name: "Claude Code" }).check();
    await say(panel, "Try both");
    const results = (): string => JSON.stringify(model.requests.at(-1)?.body.messages);
    await card(panel).getByText(new URL(site).origin, { exact: true }).waitFor();
    expect(model.requests).toHaveLength(1);
    await card(panel).getByRole("button", { name: "Allow once" }).click();
    await card(panel).getByText(new URL(tab.url()).origin, { exact: true }).waitFor();
    expect(results()).toContain("browser_action succeeded");
    expect(model.requests).toHaveLength(2);
    expect(await tab.getByRole("button", { name: "Count", exact: true }).count()).toBe(1);
    await card(panel).getByRole("button", { name: "Allow once" }).click();
    await panel.getByText("Both work.").waitFor();
    expect(results()).toContain("the person has now allowed to act on");
    await tab.getByRole("button", { name: "Clicked 1" }).waitFor();
  });

  it("ends the question when the person stops the agent", async () => {
    const { tab, panel } = await withAgent([CLICK, { text: "Never." }]);
    await ask(panel, "Press Count");
    await card(panel).waitFor();
    await panel.keyboard.press("Escape");
    await panel.getByText("You stopped the agent.").waitFor();
    await until(async () => (await card(panel).count()) === 0);
    expect(await tab.getByRole("button", { name: "Count", exact: true }).count()).toBe(1);
  });
});
