import { existsSync } from "node:fs";
import { fail, log } from "./log.mjs";
import { run } from "./run.mjs";

/** Finds a Chromium for the tests. As root on Debian it installs one. */
export async function ensureChromium() {
  const { findChrome } = await import(
    new URL("../../packages/runner/dist/chrome/find.js", import.meta.url).href
  );
  const found = findChrome();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    log("installing chromium (apt-get) …");
    await run("apt-get", ["update", "-qq"], { quiet: true });
    const { code, output } = await run(
      "apt-get",
      ["install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-liberation"],
      { quiet: true, env: { DEBIAN_FRONTEND: "noninteractive" } },
    );
    if (code !== 0) process.stderr.write(output);
    const installed = findChrome();
    if (installed) return installed;
  }
  return fail(
    "the tests need Chromium or Chrome, and none was found. Install it (Debian and Ubuntu: sudo apt-get install chromium; " +
      "macOS: brew install --cask google-chrome; else google.com/chrome), or set CHROME_PATH to its program",
  );
}
