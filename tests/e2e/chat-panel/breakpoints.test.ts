import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { claudeHub } from "../../support/agents/claude.js";
import { startModelServer } from "../../support/agents/model-server.js";
import { startChatHub } from "../../support/chat/chat.js";
import { violations } from "./axe.js";
import { beside } from "./beside.js";
import { say } from "./stage.js";

const CLICK = { type: "click", target: { role: "button", name: "Count" } };
const MISSING = { type: "click", target: { role: "button", name: "No such button" } };

/** Goes to an element with Tab, from wherever the focus is. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const wanted = page.locator(":focus").and(page.getByRole("button", { name }));
  for (let i = 0; i < 40; i++) {
    if ((await wanted.count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${name}`);
}

describe("breakpoints of a chat", () => {
  it("are set with the keyboard before and during a run, say where the agent stopped, and are removed", async () => {
    const model = await startModelServer([
      { tool: "act", input: CLICK },
      { tool: "logs", input: {} },
      { tool: "observe", input: {} },
      { text: "All done." },
    ]);
    const env = { DEBUG_BRIDGE_MODEL: "stand-in", DEBUG_BRIDGE_MODEL_URL: `${model.url}/v1` };
    const hub = await startChatHub(temporaryFolder(), { env });
    const { tab, panel } = await beside(hub);
    await panel.getByRole("radio", { name: "The reference agent" }).check();
    await tabTo(panel, "Breakpoints");
    await panel.keyboard.press("Enter");
    const dialog = panel.getByRole("dialog", { name: "Breakpoints" });
    await dialog.getByRole("checkbox", { name: "Before every tool" }).focus();
    await panel.keyboard.press("Space");
    expect(await violations(panel)).toEqual([]);
    await panel.keyboard.press("Escape");
    await panel.getByRole("button", { name: "Breakpoints: 1 set" }).waitFor();

    await say(panel, "Press Count");
    await panel.getByText("Stopped before clicking Count").waitFor();
    expect(await violations(panel)).toEqual([]);
    expect(await tab.getByRole("button", { name: "Clicked 1" }).count()).toBe(0);

    await tabTo(panel, "Breakpoints: 1 set");
    await panel.keyboard.press("Enter");
    await dialog.getByRole("checkbox", { name: "Before every tool" }).uncheck();
    await dialog.getByLabel("Before this tool").focus();
    await panel.keyboard.type("logs");
    await panel.keyboard.press("Enter");
    await dialog.getByRole("listitem").getByText("logs").waitFor();
    expect(await violations(panel)).toEqual([]);
    await panel.keyboard.press("Escape");
    const [{ id } = { id: "" }] = (await hub.json("/v1/chats")).chats;
    const saved = async () => (await hub.json(`/v1/chats/${id}`)).breakpoints;
    await until(async () => JSON.stringify(await saved()) === '[{"on":"tool","name":"logs"}]');

    await panel.getByRole("button", { name: "Resume" }).press("Enter");
    await panel.getByRole("button", { name: "Allow once" }).press("Enter");
    await panel.getByText("Stopped before reading the console").waitFor();
    await tab.getByRole("button", { name: "Clicked 1" }).waitFor();
    await panel.getByRole("button", { name: "Step" }).press("Enter");
    await panel.getByText("Paused", { exact: true }).waitFor();
    await panel.getByRole("button", { name: "Breakpoints: 1 set" }).press("Enter");
    await dialog.getByRole("button", { name: "Remove logs" }).press("Enter");
    await until(async () => (await saved()).length === 0);
    await panel.keyboard.press("Escape");
    await panel.getByRole("button", { name: "Resume" }).press("Enter");
    await panel.getByText("All done.").waitFor();
    await panel.getByRole("button", { name: "Breakpoints", exact: true }).waitFor();
  });

  it("stop the real Claude Code at a tool and at an error, in /chat, and not in a run after they were removed", async () => {
    const { hub } = await claudeHub([
      { tool: "mcp__debug-bridge__sessions", input: {} },
      { tool: "mcp__debug-bridge__act", input: MISSING },
      { text: "It is not there." },
      { tool: "mcp__debug-bridge__sessions", input: {} },
      { text: "Nothing stopped me." },
    ]);
    const { tab } = await beside(hub);
    const page = await tab.context().newPage();
    await page.goto(`${hub.url}/chat#token=${hub.token}`);
    await page.getByRole("radio", { name: "Claude Code" }).check();
    await page.getByRole("button", { name: "Breakpoints" }).click();
    const dialog = page.getByRole("dialog", { name: "Breakpoints" });
    await dialog.getByRole("checkbox", { name: "At errors" }).check();
    await dialog.getByLabel("Before this tool").fill("sessions");
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.getByRole("button", { name: "Close" }).click();
    await say(page, "Press it");
    await page.getByText("Stopped before looking for open pages").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Allow once" }).click();
    await page.getByText(/^Stopped at an error: .*No such button/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("It is not there.").waitFor();
    await page.getByRole("button", { name: "Send" }).waitFor();

    await page.getByRole("button", { name: "Breakpoints: 2 set" }).click();
    await dialog.getByRole("checkbox", { name: "At errors" }).uncheck();
    await dialog.getByRole("button", { name: "Remove sessions" }).click();
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Breakpoints", exact: true }).waitFor();
    await say(page, "Once more");
    await page.getByText("Nothing stopped me.").waitFor();
  });
});
