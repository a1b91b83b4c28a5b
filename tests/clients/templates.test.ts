import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { estimateTokens } from "@debug-bridge/protocol";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { packAll } from "../../scripts/lib/pack.mjs";
import { runCli, startUp, temporaryFolder, until } from "../fixtures.js";
import { launchChromium } from "../support/chrome/chromium.js";
import { change, createApp, serve, wire } from "./stage.js";
import { FRAMEWORK_TEMPLATES } from "./template-frameworks.js";
import { type Template, VITE_TEMPLATES } from "./templates.js";

/** The part of the page with the table. */
const DOCS =
  readFileSync(join(import.meta.dirname, "../../docs/loop.md"), "utf8").split("## What was tried")[1] ?? "";
const MAX_TOKENS = 300;

let browser: Browser;
let folder: string;
let tarballs: string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "debug-bridge-templates-"));
  tarballs = (await packAll(join(folder, "tarballs"))).map(({ file }) => file);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

type Cli = (...args: string[]) => Promise<string>;

const ALL = { ...VITE_TEMPLATES, ...FRAMEWORK_TEMPLATES };
const rowOf = (name: string): string | undefined =>
  DOCS.split("\n").find((line) => line.startsWith(`| ${name} |`));

it("every template is in the table", () => {
  expect(Object.keys(ALL).filter((name) => rowOf(name) === undefined)).toEqual([]);
});

it.each(Object.entries(ALL))(
  "%s: the sources of 20 elements are exact and each of five saves has the right receipt, as the docs say",
  async (name, template) => {
    const app = await createApp(template.app, join(folder, name.replace(/\W/g, "-")), tarballs);
    const home = temporaryFolder();
    const { ready } = await startUp([], home);
    await wire(template.app, app, ready.hub);
    for (const each of template.added) change(app, each);
    const url = await serve(template.app, app, home);
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const cli: Cli = async (...args) => {
      const { stdout, stderr } = await runCli([...args, "--home", home]);
      return stdout || stderr;
    };
    await page.goto(url);
    await until(async () => (await cli("observe", "app")).includes('button "Item 13"'));
    const exact = await countExact(template, app, cli);
    const outcomes = await saveAll(template, app, cli, page);
    expect(`| ${[name, exact, ...outcomes].join(" | ")} |`).toBe(rowOf(name));
  },
  900_000,
);

/** Checks the place of every element against the file that it is written in. */
async function countExact({ elements }: Template, app: string, cli: Cli): Promise<number> {
  const lines = (await cli("observe", "app", "source=true", "maxTokens=8000")).split("\n");
  const wrong: string[] = [];
  let exact = 0;
  for (const { file, start, texts, near } of elements) {
    const source = readFileSync(join(app, file), "utf8");
    for (const text of texts) {
      const at = near ? source.indexOf(near) : source.search(new RegExp(`${text}(?! of)\\b`));
      const begin = source.lastIndexOf(start, at);
      const line = source.slice(0, begin).split("\n").length;
      const shown = lines.find((each) => new RegExp(`"${text}\\b(?! of)`).test(each));
      if (shown && [" ", ")"].some((end) => shown.includes(`(${file}:${line}${end}`))) exact++;
      else wrong.push(`${text} is in ${file}:${line}: ${shown}`);
    }
  }
  expect(wrong, lines.join("\n")).toEqual([]);
  return exact;
}

/** Saves five times. Each receipt comes in one call, and says what the page then shows. */
async function saveAll({ saves }: Template, app: string, cli: Cli, page: Page): Promise<string[]> {
  const outcomes: string[] = [];
  const receiptOf = async (file: string, shows: RegExp): Promise<string> => {
    const receipt = await cli("act", "app", "wait_for", `edit=${file}`, "maxMs=60000");
    const [, outcome] =
      /: (hot update|full reload|build error|the server sent pages no update)\b/.exec(receipt) ?? [];
    const logs = await cli("logs", "app");
    expect(receipt, logs).toContain(`edit ${file}: ${outcome}`);
    expect(receipt, logs).toMatch(shows);
    expect(estimateTokens(receipt)).toBeLessThanOrEqual(MAX_TOKENS);
    outcomes.push(String(outcome));
    return receipt;
  };
  for (const save of [saves.text, saves.style, saves.component]) {
    change(app, save.change);
    await receiptOf(save.change[0], save.shows);
  }
  const [file] = saves.broken.change;
  const whole = readFileSync(join(app, file), "utf8");
  change(app, saves.broken.change);
  await receiptOf(file, saves.broken.shows);
  // Not as it was before, which some servers would not have to send.
  writeFileSync(join(app, file), whole.replace("Item 6</button>", "Fixed</button>"));
  const fixed = await receiptOf(file, /error gone: /);
  // A page that was empty because of the error has more to show than fits.
  expect(fixed).toMatch(/: hot update\n/.test(fixed) ? /[+~] .*button "Fixed"/ : /^\+ /m);
  expect(await page.getByRole("button", { name: "Fixed" }).count()).toBe(1);
  expect(await page.getByRole("button", { name: "Item 6" }).count()).toBe(0);
  return outcomes;
}
