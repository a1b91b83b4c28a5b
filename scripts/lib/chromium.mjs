import { existsSync } from "node:fs";
import { fail, log } from "./log.mjs";
import { run } from "./run.mjs";

const SHELL = "/usr/bin/chromium-headless-shell";

/** Finds a Chromium for the tests. As root on Debian it installs one. */
export async function ensureChromium() {
  const { findChrome } = await import(
    new URL("../../packages/runner/dist/chrome/find.js", import.meta.url).href
  );
  const found = findChrome();
  if (found) return found;
  if (canInstall()) {
    const { code, output } = await install("chromium", "fonts-liberation");
    if (code !== 0) process.stderr.write(output);
    const installed = findChrome();
    if (installed) return installed;
  }
  return fail(
    "the tests need Chromium or Chrome, and none was found. Install it (Debian and Ubuntu: sudo apt-get install chromium; " +
      "macOS: brew install --cask google-chrome; else google.com/chrome), or set CHROME_PATH to its program",
  );
}

/**
 * The same Chromium without the window, tabs and settings of a browser, which tests that only need pages use: a page costs
 * it two thirds of the processor time. `undefined` where there is none; those tests use the whole browser then.
 */
export async function ensureHeadlessShell() {
  if (!existsSync(SHELL) && canInstall()) await install("chromium-headless-shell");
  return existsSync(SHELL) ? SHELL : undefined;
}

const canInstall = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

async function install(...names) {
  log(`installing ${names[0]} (apt-get) …`);
  await run("apt-get", ["update", "-qq"], { quiet: true });
  return run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], {
    quiet: true,
    env: { DEBIAN_FRONTEND: "noninteractive" },
  });
}
