import { afterAll, beforeAll, expect, test } from "vitest";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

const ASK = `<button onclick="console.log(confirm('Delete?'), prompt('Name?', 'Ada'))">Ask</button>`;

test("dialogs of an agent's action are answered, and named in its receipt", async () => {
  const page = await browser.open(
    `<button onclick="alert('hi'); console.log(confirm('Delete?'))">Ask</button>`,
  );
  const { receipt } = await page.run({ type: "click", target: { text: "Ask" } });
  expect(receipt?.durationMs).toBeLessThan(5_000);
  expect(receipt?.console?.map(({ text }) => text)).toEqual([
    "alert: hi",
    "confirm: Delete?",
    "confirm: Delete? answered Cancel by the bridge",
    "false",
  ]);
});

test("rules accept with a text, once or for all", async () => {
  const page = await browser.open(ASK);
  const last = async (): Promise<string | undefined> =>
    (await page.run({ type: "click", target: { text: "Ask" } })).receipt?.console?.at(-1)?.text;
  expect(await page.run({ type: "dialog", action: "accept" })).toMatchObject({ ok: true });
  expect(await last()).toBe("true null");
  await page.run({ type: "dialog", action: "accept", text: "Grace", for: "all" });
  expect(await last()).toBe("true Grace");
  await page.run({ type: "dialog", action: "accept", for: "all" });
  expect(await last()).toBe("true Ada");
  await page.run({ type: "dialog", action: "dismiss", for: "all" });
  expect(await last()).toBe("false null");
});

test("a dialog that no agent caused is left to the person", async () => {
  const page = await browser.open(ASK);
  const asked: string[] = [];
  page.page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    void dialog.accept("Eve");
  });
  await page.page.click("button");
  expect(asked).toEqual(["Delete?", "Name?"]);
  await page.waitForMessage("console", ({ args }) => args.join(" ") === "true Eve");
});
