import { seededRandom } from "@debug-bridge/driver";
import type { Locator } from "@debug-bridge/protocol";
import type { Failure, Recording, Step } from "../recording/types.js";
import { locatorCode } from "../replay/locate.js";
import { STAND_IN } from "../replay/perform.js";

export interface TestSource {
  readonly recording: Recording;
  readonly failure: Failure;
  readonly steps: readonly Step[];
  readonly found: ReadonlyMap<number, Locator>;
  /** Whether the failure needs the times of the recording. */
  readonly timed: boolean;
  readonly network: "recorded" | "live";
  /** Whether requests are answered from the recording. */
  readonly usesNetwork: boolean;
}

const text = (value: unknown): string => JSON.stringify(value);

/** The source of a test for Playwright Test that fails while the failure is there. */
export function testSource(source: TestSource): string {
  const { recording, failure, steps, timed } = source;
  const needsReplay = timed || source.usesNetwork;
  const lines = [
    ...watching(failure),
    ...(recording.seed === undefined
      ? []
      : [`await page.addInitScript({ content: ${text(seededRandom(recording.seed))} });`]),
    ...(needsReplay ? replaying(source) : [`await page.clock.install({ time: ${timeOf(recording)} });`]),
    `await page.goto(${text(recording.url)});`,
    ...steps.flatMap((step, i) => {
      const locator = source.found.get(step.id) ?? step.locators[0];
      return [
        ...(timed ? [`await replay.until(${step.at});`] : []),
        stepCode(step, locator),
        ...(locator && needsBlur(step, steps[i + 1], timed) ? [`await ${locatorCode(locator)}.blur();`] : []),
      ];
    }),
    ...(timed ? [`await replay.until(${Math.max(recording.ends, failure.at) + 5_000});`] : []),
    ...expecting(failure),
  ];
  const { width, height, timeZone, language } = recording;
  const use = {
    viewport: { width, height },
    timezoneId: timeZone,
    locale: language,
    serviceWorkers: "block",
  };
  return `// Written by debug-bridge record reproduce. It fails while the bug is there, and passes when it is fixed.
${needsReplay ? 'import { readFileSync } from "node:fs";\n' : ""}import { expect, test } from "@playwright/test";
${needsReplay ? 'import { exchangesOf, Replay } from "./replay.mjs";\n' : ""}
test.use(${JSON.stringify(use, null, 2)});

test(${text(titleOf(failure))}, async ({ page }) => {
${lines.map((line) => `  ${line}`).join("\n")}
});
`;
}

function titleOf({ kind, message }: Failure): string {
  return kind === "text" ? `does not show "${message}"` : `no error: ${message}`;
}

function watching({ kind }: Failure): string[] {
  if (kind === "text") return [];
  return [
    "const errors: string[] = [];",
    kind === "error"
      ? 'page.on("pageerror", (error) => errors.push(error.message));'
      : 'page.on("console", (message) => errors.push(message.text()));',
  ];
}

const timeOf = ({ time }: Recording): string => text(new Date(time).toISOString());

function replaying({ recording, timed, network }: TestSource): string[] {
  return [
    'const har = readFileSync(new URL("network.har", import.meta.url), "utf8");',
    `const time = Date.parse(${timeOf(recording)});`,
    `${timed ? "const replay = " : ""}await Replay.start(page, { exchanges: exchangesOf(har), time, timed: ${timed}, network: ${text(network)} });`,
  ];
}

function expecting({ kind, message, place }: Failure): string[] {
  if (kind === "text")
    return [
      "await page.waitForTimeout(500);",
      `await expect(page.getByText(${text(message)}).first()).toBeHidden();`,
    ];
  const where = place ? `, ${text(`${place.url}:${place.line}`)}` : "";
  return [
    "// The error may come a moment after the last action.",
    "await page.waitForTimeout(500);",
    `expect(errors.filter((error) => error.includes(${text(message)}))${where}).toEqual([]);`,
  ];
}

/** What takes the focus from a field by itself. */
const TAKES_FOCUS = /^(?:click|dblclick|check|uncheck)$/;

/** Whether a field has to be left after it was filled in: the next step does not do that, or comes later. */
function needsBlur({ committed }: Step, next: Step | undefined, timed: boolean): boolean {
  return committed === true && (timed || !next || !TAKES_FOCUS.test(next.action));
}

function stepCode(step: Step, locator: Locator | undefined): string {
  const { action, key, url, x = 0, y = 0 } = step;
  if (action === "goto") return `await page.goto(${text(url)});`;
  if (action === "back") return "await page.goBack();";
  if (!locator)
    return action === "press"
      ? `await page.keyboard.press(${text(key)});`
      : `await page.evaluate("scrollTo(${Number(x)}, ${Number(y)})");`;
  return `await ${locatorCode(locator)}.${callOf(step)};`;
}

function callOf(step: Step): string {
  const { action, value = "", secret, button, modifiers, key, x = 0, y = 0, files = [] } = step;
  const mouse = button || modifiers ? text({ button, modifiers }) : "";
  switch (action) {
    case "fill":
      return secret === undefined
        ? `fill(${text(value)})`
        : `fill(process.env[${text(secretVariable(secret))}] ?? ${text(STAND_IN)})`;
    case "select":
      return `selectOption(${text(value.split("\n").map((label) => ({ label })))})`;
    case "press":
      return `press(${text(key)})`;
    case "scroll":
      return `evaluate((box) => box.scrollTo(${Number(x)}, ${Number(y)}))`;
    case "upload":
      return `setInputFiles([${files.map((name) => `{ name: ${text(name)}, mimeType: "application/octet-stream", buffer: Buffer.from("recorded\\n") }`).join(", ")}])`;
    case "dblclick":
      return `dblclick(${mouse})`;
    default:
      return `${action}(${mouse})`;
  }
}

/** The environment variable that holds a secret for the test. */
export function secretVariable(name: string): string {
  return `SECRET_${name.toUpperCase().replaceAll(/\W/g, "_")}`;
}
