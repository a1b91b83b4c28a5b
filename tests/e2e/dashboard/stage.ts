import type { Browser, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { stage as hubStage, type Stage } from "../hub/stage.js";

export interface DashboardStage extends Stage {
  /** The dashboard, opened with the token. */
  readonly page: Page;
  /** What went wrong in it: errors, and what its policy blocked. */
  readonly problems: string[];
  /** Sends a command to the demo, or to the session that is named, as an agent does. */
  act(command: object): Promise<void>;
}

/** A hub with the demo, and the dashboard in a real Chromium. */
export async function dashboardStage(
  browser: Browser,
  args: string[] = ["--demo"],
  session = "demo",
): Promise<DashboardStage> {
  const stage = await hubStage(browser, args);
  // In a separate window: Chromium draws a tab behind another one late.
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (/Content Security Policy/.test(message.text())) problems.push(message.text());
  });
  await page.goto(`${stage.ready.hub}/#token=${stage.token}`);
  return {
    ...stage,
    page,
    problems,
    async act(command) {
      const response = await fetch(`${stage.ready.hub}/v1/sessions/${session}/commands`, {
        method: "POST",
        headers: { authorization: `Bearer ${stage.token}`, "x-debug-bridge-client": "hunter" },
        body: JSON.stringify(command),
      });
      const result = await response.json();
      expect(result, JSON.stringify(result)).toMatchObject({ success: true });
    },
  };
}

/** Opens the demo, and lets an agent press the button that fails. */
export async function playDemo({ open, ready, act }: DashboardStage): Promise<Page> {
  const { page: demo } = await open(ready.demo as string);
  await demo.getByRole("button", { name: "Add Rye bread" }).click();
  await demo.evaluate(() => console.warn("low stock", { tea: 1, sizes: [1, { deep: "value" }] }));
  await act({ type: "click", target: { text: "Add Green tea" } });
  await act({ type: "click", target: { text: "Apply" } });
  return demo;
}
