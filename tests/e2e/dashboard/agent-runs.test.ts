import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startAgent } from "../../support/agents/agents.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { violations } from "../chat-panel/axe.js";
import { runEvents, writeRecording } from "./fixed-recordings.js";
import { dashboardStage } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

describe("runs of agents", () => {
  it("show their tokens and cost, and two of them side by side", async () => {
    const { page, home, problems } = await dashboardStage(browser, []);
    writeRecording(home, "run-one", { kind: "agent" }, runEvents("claude-sonnet-4-5", "cart.ts"));
    writeRecording(home, "run-two", { kind: "agent" }, runEvents("unknown-model", "coupon.ts"));
    await page.reload();
    await page.getByRole("table").getByRole("link", { name: "run-two" }).click();
    await page.getByText("In all 100,000 tokens in, 2,000 out", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Debug Bridge" }).click();
    await page.getByRole("table").getByRole("link", { name: "run-one" }).click();
    // What a model costs is what the reader says.
    await page.getByText("In all 100,000 tokens in, 2,000 out", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Set prices to see the cost" }).click();
    await page.getByLabel("Model", { exact: true }).fill("claude-sonnet-4-5");
    await page.getByLabel("Input").fill("3");
    await page.getByRole("button", { name: "Set the price" }).click();
    await page.getByText("Enter the name of a model and its prices").waitFor();
    await page.getByLabel("Output").fill("15");
    await page.getByRole("button", { name: "Set the price" }).click();
    await page.getByRole("row", { name: "claude-sonnet-4-5 3 15 3 3 Remove" }).waitFor();
    await page.goBack();
    await page.getByText("In all 100,000 tokens in, 2,000 out, $0.33", { exact: true }).waitFor();
    const conversation = page.getByRole("list", { name: "Conversation" });
    await conversation.getByText("100,000 tokens in, 2,000 out, $0.33").waitFor();
    // A recording cannot be steered.
    expect(await page.getByRole("button", { name: "Stop when this happens again" }).count()).toBe(0);
    const [, other = ""] = await page
      .getByLabel("Compare with another run")
      .locator("option")
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
    await page.getByLabel("Compare with another run").selectOption(other);
    await page.getByText("2 steps are the same, 4 differ.").waitFor();
    const rows = page.getByRole("row");
    await rows.filter({ hasText: "only here" }).filter({ hasText: "cart.ts" }).first().waitFor();
    await rows.filter({ hasText: "only here" }).filter({ hasText: "coupon.ts" }).first().waitFor();
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [420, 1_280]) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: 800 });
        expect((await violations(page)).join("\n"), `${colorScheme}, ${width} pixels`).toBe("");
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
    await page.reload();
    await page.getByText("2 steps are the same, 4 differ.").waitFor();
    await page.getByRole("button", { name: "Back to the run" }).click();
    await conversation.waitFor();
    expect(problems).toEqual([]);
  });

  it("stop when something happens again, and branch from a checkpoint", async () => {
    const { page, home } = await dashboardStage(browser, []);
    const write = (name: string): object => ({ tool: "write_file", input: { path: name, content: name } });
    const turns = [
      write("one.txt"),
      ...Array.from({ length: 200 }, (_, i) => ({ text: `turn ${i}`, delayMs: 50 })),
      write("two.txt"),
      { text: "finished" },
    ];
    const agent = await startAgent(home, turns);
    await page.getByRole("region", { name: "Live sessions" }).getByRole("link").click();
    const conversation = page.getByRole("list", { name: "Conversation" });
    await page.getByRole("button", { name: "Checkpoint" }).click();
    await agent.seen("checkpoint");
    await page.getByRole("button", { name: "Pause" }).click();
    await agent.seen("paused");
    const entry = conversation.getByRole("listitem").filter({ hasText: "write_file" });
    await entry.getByRole("button", { name: "Stop when this happens again" }).click();
    await page.getByText("The agent stops before write_file from now on.").waitFor();
    await page.getByRole("button", { name: "Branch from cp-1" }).click();
    await conversation.getByText(/^Branched from cp-1 into /).waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("region", { name: "The held call" }).getByText("write_file waits").waitFor();
  });
});
