import type { Locator as RecordedLocator } from "@debug-bridge/protocol";
import type { Locator, Page } from "playwright-core";
import type { Step } from "../recording/types.js";
import { locatorFor } from "./locate.js";

/** What stands for a secret that was not given: with the network of the recording any value will do. */
export const STAND_IN = "secret";
const ACTION_MS = 2_000;
const RETRY_MS = 50;

export interface PerformOptions {
  readonly secrets: Readonly<Record<string, string>>;
  /** How long to wait for an element that does not exist yet. */
  readonly stepTimeoutMs: number;
}

/** The locator that found the element; none for what is about the page itself. */
export type Performed =
  | { readonly done: true; readonly locator?: RecordedLocator }
  | { readonly done: false };

/** Does one step. Not done: its element does not exist, or cannot be used. */
export async function perform(page: Page, step: Step, options: PerformOptions): Promise<Performed> {
  const { action, locators, key = "", x = 0, y = 0 } = step;
  try {
    if (action === "goto") await page.goto(step.url ?? "about:blank", { waitUntil: "load" });
    else if (action === "back") await page.goBack({ waitUntil: "commit" });
    else if (locators.length === 0 && action === "press") await page.keyboard.press(key);
    else if (locators.length === 0 && action === "scroll")
      await page.evaluate(`scrollTo(${Number(x)}, ${Number(y)})`);
    else {
      const found = await find(page, locators, action === "upload", options.stepTimeoutMs);
      if (!found) return { done: false };
      await performOn(found.element, step, options.secrets);
      return { done: true, locator: found.locator };
    }
    return { done: true };
  } catch {
    // The element left while it was used, or the page did.
    return { done: false };
  }
}

/** The first locator that names exactly one element that can be seen. */
async function find(
  page: Page,
  locators: readonly RecordedLocator[],
  mayBeHidden: boolean,
  stepTimeoutMs: number,
): Promise<{ element: Locator; locator: RecordedLocator } | undefined> {
  const ends = Date.now() + stepTimeoutMs;
  for (;;) {
    for (const locator of locators) {
      const all = locatorFor(page, locator);
      // One question to the page, not two: most of a replay is asking.
      const element = mayBeHidden ? all : all.filter({ visible: true });
      if ((await element.count()) === 1) return { element: all, locator };
    }
    if (Date.now() >= ends) return undefined;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function performOn(
  element: Locator,
  step: Step,
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  const { action, secret, button, modifiers, key = "", x = 0, y = 0 } = step;
  const value = secret === undefined ? (step.value ?? "") : (secrets[secret] ?? STAND_IN);
  // An element that was found and seen is used at once: a person does not wait for it to be stable either.
  const quick = { timeout: ACTION_MS, force: true, noWaitAfter: true };
  const mouse = { ...quick, ...(button ? { button } : {}), ...(modifiers ? { modifiers } : {}) };
  switch (action) {
    case "click":
      return element.click(mouse);
    case "dblclick":
      return element.dblclick(mouse);
    case "fill":
      await element.fill(value, quick);
      // The app gets its `change` event when the field is left.
      return step.committed ? element.blur({ timeout: ACTION_MS }) : undefined;
    case "select":
      return void (await element.selectOption(
        value.split("\n").map((label) => ({ label })),
        quick,
      ));
    case "check":
    case "uncheck":
      return element.setChecked(action === "check", quick);
    case "press":
      return element.press(key, quick);
    case "scroll":
      return element.evaluate((box, [left, top]) => box.scrollTo(left, top), [x, y] as const);
    case "upload":
      return element.setInputFiles(filesOf(step), quick);
  }
}

/** Contents of files are not recorded. */
function filesOf({ files = [] }: Step): { name: string; mimeType: string; buffer: Buffer }[] {
  return files.map((name) => ({
    name,
    mimeType: "application/octet-stream",
    buffer: Buffer.from("recorded\n"),
  }));
}
