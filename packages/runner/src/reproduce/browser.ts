import type { Browser } from "playwright-core";
import { findChrome } from "../chrome/find.js";
import { noChrome } from "../chrome/install-steps.js";

/** Launches a Chrome for trials. Each of them gets a separate context, which is much faster than a separate Chrome. */
export async function launchForTrials(chromePath?: string): Promise<Browser> {
  const executablePath = chromePath ?? findChrome();
  if (!executablePath) throw noChrome();
  const { chromium } = await import("playwright-core");
  const launch = (chromiumSandbox: boolean): Promise<Browser> =>
    chromium.launch({
      executablePath,
      chromiumSandbox,
      args: ["--disable-gpu", "--disable-background-networking"],
    });
  if (process.getuid?.() === 0) return launch(false);
  // Some containers do not have what the sandbox needs.
  return launch(true).catch(() => launch(false));
}
