import { describe, expect, test } from "vitest";
import { FORM, setStage } from "./stage.js";

const stage = setStage();

async function open(): Promise<void> {
  stage.hub.welcome = () => ({ lastSeq: 0, agents: 0 });
  await stage.open(FORM, "");
  await stage.hub.waitFor("ui_tree");
}

/** The frame around what the pointer is over. */
const frame = () => stage.page.locator("debug-bridge-overlay");

describe("picking an element in an app with the SDK", () => {
  test("the click picks and the page does not get it; agents get the element with styles and errors", async () => {
    await open();
    await stage.page.evaluate(() => setTimeout(() => (undefined as unknown as { x: number }).x));
    await stage.hub.waitFor("error");
    const answer = stage.hub.run({ type: "pick" });
    await frame().waitFor({ state: "attached" });
    await stage.page.locator("#b").click();
    expect(await answer).toMatchObject({
      success: true,
      value: { picked: true, role: "button", name: "Start", ref: expect.stringMatching(/^e\d+$/) },
    });
    const [picked] = stage.hub.of("picked");
    expect(picked).toMatchObject({
      ...{ role: "button", name: "Start", html: expect.stringContaining("Start</button>") },
      styles: { display: "inline-block" },
      errors: [expect.stringContaining("Cannot read properties of undefined")],
    });
    expect(await stage.page.locator("#out").textContent()).toBe("");
    await stage.page.locator("#b").click();
    expect(await stage.page.locator("#out").textContent()).toBe("started");
    expect(await frame().count()).toBe(0);
  });

  test("Escape cancels, and a pick that is cancelled or timed out leaves nothing behind", async () => {
    await open();
    const answer = stage.hub.run({ type: "pick" });
    await frame().waitFor({ state: "attached" });
    await stage.page.keyboard.press("Escape");
    expect(await answer).toMatchObject({ success: true, value: { picked: false } });
    expect(await stage.hub.run({ type: "pick", timeoutMs: 50 })).toMatchObject({ value: { picked: false } });
    await frame().waitFor({ state: "detached" });
    expect(stage.hub.of("picked")).toEqual([]);
  });

  test("after the first pick the key starts one", async () => {
    await open();
    const answer = stage.hub.run({ type: "pick" });
    await frame().waitFor({ state: "attached" });
    await stage.page.keyboard.press("Escape");
    await answer;
    await stage.page.keyboard.press("Alt+Shift+P");
    await frame().waitFor({ state: "attached" });
    await stage.page.locator("h1").click();
    expect(await stage.hub.waitFor("picked")).toMatchObject({ role: "heading", name: "Shop" });
  });
});
