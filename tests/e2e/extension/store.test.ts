import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { chromium } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { zipExtension } from "../../../scripts/lib/extension-zip.mjs";
import { ROOT, temporaryFolder } from "../../fixtures.js";
import { CHROMIUM } from "../../support/chrome/chromium.js";

const STORE = join(ROOT, "packages/extension/store");

const listing = (title: string): string => {
  const text = readFileSync(join(STORE, "listing.md"), "utf8");
  return (text.split(`\n## ${title}\n`)[1] ?? "").split("\n## ")[0]?.trim() ?? "";
};

it("the file for the store has no key, loads, and asks to be paired", async () => {
  const folder = join(temporaryFolder(), "extension");
  for (const [path, bytes] of Object.entries(unzipSync(zipExtension()))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  expect(manifest.key).toBeUndefined();

  const browser = await chromium.launchPersistentContext(join(folder, "../profile"), {
    executablePath: CHROMIUM.executablePath,
    args: [...CHROMIUM.args, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
    ignoreDefaultArgs: ["--disable-extensions"],
  });
  onTestFinished(() => browser.close());
  const worker = browser.serviceWorkers()[0] ?? (await browser.waitForEvent("serviceworker"));
  const popup = await browser.newPage();
  await popup.goto(new URL("popup.html", worker.url()).href);
  await popup.getByRole("button", { name: "Pair with this computer" }).waitFor();
});

it("the listing gives the reason of every permission, and keeps the limits of the store", () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, "packages/extension/static/manifest.json"), "utf8"));
  const explained = [...listing("Permissions").matchAll(/^- `(\w+)`: \S/gm)].map(([, name]) => name);
  expect(explained).toEqual(manifest.permissions);
  expect(listing("Name")).toBe(manifest.name);
  expect(listing("Summary").length).toBeLessThanOrEqual(132);
  expect(manifest.description.length).toBeLessThanOrEqual(132);
  expect(listing("Description").length).toBeLessThanOrEqual(16_000);
});

it("the pictures of the listing are 1280 by 800", () => {
  for (const name of ["1-panel", "2-chat", "3-dashboard"]) {
    const png = readFileSync(join(STORE, `${name}.png`));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1280, 800]);
  }
});
