import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Started, start, temporaryFolder, until } from "../../fixtures.js";
import { CHROMIUM, launchChromium } from "../../support/chrome/chromium.js";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

const ANY_PORTS = ["--port", "0", "--console-port", "0", "--relay-port", "0"];

/** What each command of the walk answers, and its exit code. */
const ANSWERS: readonly (readonly [command: string, code: number, answer: RegExp])[] = [
  ["record start", 0, /^recording demo/],
  ["observe", 0, /button "Apply" \(src\/coupon\.tsx:\d+ Coupon\)/],
  ["act demo click", 0, /GET .*\/api\/coupons\/ 404/],
  [
    "why",
    0,
    /reading 'percent'.*src\/coupon\.tsx:12.*because of request .*\/api\/coupons\/ 404.*because of action .*click "Apply"/s,
  ],
  ["find", 0, /button "Apply".*coupon\.tsx/s],
  ["record stop", 0, /^debug_/],
  ["record reproduce", 0, /5 of 5 replays\n1 action of 1:\n {2}1\. click button "Apply"/],
  ["act demo wait_for", 0, /edit src\/coupon\.tsx: hot update[\s\S]*Without a coupon nothing changes/],
  ["record verify", 0, /^fixed/],
];

it("npm start prints the steps of the loop, and each of them works as printed, in its order", async () => {
  const home = join(temporaryFolder(), "a home");
  mkdirSync(home);
  const env = { DEBUG_BRIDGE_HOME: home, DEBUG_BRIDGE_HUB: "", CHROME_PATH: CHROMIUM.executablePath };
  const { output, child } = start(process.execPath, ["scripts/start.mjs", ...ANY_PORTS], env);
  await until(() => output.stdout.includes("record verify") || child.exitCode !== null);
  const printed = output.stdout.split("\n").map((line) => line.trim());
  const commands = printed.filter((line) => /^(?:npx|cp) /.test(line));
  expect(commands).toHaveLength(ANSWERS.length);
  await open(output);
  for (const [i, [name, code, answer]] of ANSWERS.entries()) {
    const command = commands[i] as string;
    expect(command).toContain(name);
    const { stdout, stderr, code: ended } = await start("sh", ["-c", command], env).finished;
    expect(ended, `${command}: ${stdout}${stderr}`).toBe(code);
    expect(stdout, command).toMatch(answer);
  }
  const test = readFileSync(join(home, "demo-reproduction/reproduction.spec.mts"), "utf8");
  expect(test).toContain(`getByRole("button", { name: "Apply"`);
});

/** As a person does who was given the address. */
async function open({ stdout }: Started["output"]): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(/Open (\S+) in a browser/.exec(stdout)?.[1] ?? "");
  await page.getByRole("button", { name: "Apply" }).waitFor();
  return page;
}
