import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { startAgent } from "../../support/agents/agents.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { violations } from "../chat-panel/axe.js";
import { dashboardStage } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

it("shows an agent's conversation whole, pauses it, holds a call and changes its input", async () => {
  const { page, home, problems } = await dashboardStage(browser, []);
  const long = `A message of many words: ${"and so on ".repeat(60)}the end`;
  const turns = [
    { text: long, delayMs: 50 },
    ...Array.from({ length: 300 }, (_, i) => ({ text: `turn ${i}`, delayMs: 50 })),
    { tool: "write_file", input: { path: "a.txt", content: "one" } },
    { tool: "write_file", input: { path: "b.txt", content: "two" } },
    { text: "finished" },
  ];
  const agent = await startAgent(home, turns);
  await page.getByRole("region", { name: "Live sessions" }).getByRole("link").click();
  const conversation = page.getByRole("list", { name: "Conversation" });
  await conversation.getByText(long).waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("group", { name: "The agent" }).getByText("Paused").waitFor();
  await agent.seen("paused");

  await page.getByText("Breakpoints").click();
  await page.getByText("Breakpoints (0)").waitFor();
  await page.getByRole("textbox", { name: "Tool" }).fill("write_file");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("Breakpoints (1)").waitFor();
  await page.getByRole("textbox", { name: "Message to the agent" }).fill("Be careful.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("button", { name: "Checkpoint" }).click();
  await agent.seen("checkpoint");
  await page.getByRole("button", { name: "Back to cp-1" }).waitFor();
  await page.getByRole("button", { name: "Resume" }).click();

  const held = page.getByRole("region", { name: "The held call" });
  await held.getByText("write_file waits").waitFor();
  await page.getByText(/Stopped before write_file/).waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect((await violations(page)).join("\n"), colorScheme).toBe("");
  }
  const input = held.getByRole("textbox", { name: "Input" });
  await input.fill("{ not json");
  await held.getByRole("button", { name: "Continue with this input" }).click();
  await held.getByText(/This is not JSON/).waitFor();
  await input.fill('{"path": "a.txt", "content": "changed by a person"}');
  await held.getByRole("button", { name: "Continue with this input" }).click();
  await agent.seen("tool_call_end");
  expect(readFileSync(join(agent.cwd, "a.txt"), "utf8")).toBe("changed by a person");

  // The second call is held as well, and skipped.
  await until(async () => (await input.inputValue({ timeout: 60_000 })).includes("b.txt"));
  await held.getByRole("button", { name: "Skip the call" }).click();
  await conversation.getByText("finished").waitFor();
  await conversation.getByText(/^Ended: /).waitFor();
  expect(() => readFileSync(join(agent.cwd, "b.txt"))).toThrow();
  await conversation.getByRole("button", { name: /#\d+$/ }).last().click();
  await page.getByRole("article", { name: /^Record \d+/ }).waitFor();
  expect(problems).toEqual([]);
});
