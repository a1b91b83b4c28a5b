import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { DashboardStage } from "./stage.js";

export interface FileFromDisk {
  readonly page: Page;
  readonly requested: string[];
  readonly problems: string[];
  readonly text: string;
}

/** A page opened from disk, with everything that it asks for and that goes wrong in it. */
export async function openFromDisk(browser: Browser, file: string): Promise<FileFromDisk> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const requested: string[] = [];
  const problems: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  await page.goto(pathToFileURL(file).href);
  return { page, requested, problems, text: readFileSync(file, "utf8") };
}

/** Saves the shown timeline with the button, and returns the file. */
export async function saveSharedFile({ page, home }: DashboardStage): Promise<string> {
  const dialog = page.getByRole("dialog", { name: "Share as a file" });
  if (!(await dialog.isVisible())) await page.getByRole("button", { name: "Share as a file" }).click();
  const saving = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Save the file" }).click();
  const saved = await saving;
  const file = join(home, saved.suggestedFilename());
  await saved.saveAs(file);
  return file;
}
