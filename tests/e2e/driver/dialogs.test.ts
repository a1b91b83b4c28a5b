import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../fixtures.js";
import { DriverStage, failure } from "./stage.js";

const stage = new DriverStage();
beforeAll(() => stage.start());
afterAll(() => stage.stop());

const ASK = `<button onclick="console.log(confirm('Delete?'), prompt('Name?', 'Ada'))">Ask</button>`;

test("a rule for the next dialog accepts it, and the one after is dismissed as before", async () => {
  const { page } = await stage.open(ASK);
  expect(await page.run({ type: "dialog", action: "accept" })).toMatchObject({ value: { for: "next" } });
  const { receipt } = await page.run({ type: "click", target: { text: "Ask" } });
  expect(receipt?.console?.map(({ text }) => text)).toEqual([
    "confirm: Delete?",
    "confirm: Delete? answered OK by the bridge",
    "prompt: Name?",
    "prompt: Name? answered Cancel by the bridge",
    "true null",
  ]);
});

test("a rule for all dialogs holds until another is set, with the text for prompts", async () => {
  const { page } = await stage.open(ASK);
  const lines = async (): Promise<string | undefined> =>
    (await page.run({ type: "click", target: { text: "Ask" } })).receipt?.console?.at(-1)?.text;
  await page.run({ type: "dialog", action: "accept", text: "Grace", for: "all" });
  expect(await lines()).toBe("true Grace");
  expect(await lines()).toBe("true Grace");
  await page.run({ type: "dialog", action: "accept", for: "all" });
  expect(await lines()).toBe("true Ada");
  await page.run({ type: "dialog", action: "dismiss", for: "all" });
  expect(await lines()).toBe("false null");
});

test("a dialog of the page's own waits in a person's tab: commands name it, and dialog answers it", async () => {
  const { page, records } = await stage.open(
    `<button onclick="setTimeout(() => { out.textContent = confirm('Stay signed in?') }, 300)">Later</button><p id="out"></p>`,
    { dialogs: "own" },
  );
  await page.run({ type: "click", target: { text: "Later" }, settle: false });
  await until(() => records.some((record) => record.type === "console" && record.method === "confirm"));
  const refused = await failure(page.run({ type: "click", target: { text: "Later" } }));
  expect(refused.code).toBe("not_actionable");
  expect(refused.message).toContain('confirm: "Stay signed in?"');
  const answered = await page.run({ type: "dialog", action: "accept" });
  expect(answered).toMatchObject({
    value: { answered: { type: "confirm", message: "Stay signed in?" } },
    receipt: { settled: true },
  });
  const { result } = await page.run({ type: "request_ui_tree", format: "text" });
  expect(result).toContain("true");
});
