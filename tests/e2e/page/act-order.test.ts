import { afterAll, beforeAll, expect, test } from "vitest";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

test("[ARC-048] commands sent at once act one after another, each with its own receipt", async () => {
  const page = await browser.open(
    `<button id="a" onclick="setTimeout(() => { console.log('from a'); this.textContent = 'A done'; }, 5)">A</button><button id="b" onclick="console.log('from b'); this.textContent = 'B done'">B</button><input id="i">`,
  );
  const [a, b, tree, first, second] = await Promise.all([
    page.run({ type: "click", target: { selector: "#a" }, settle: { quietMs: 150 } }),
    page.run({ type: "click", target: { selector: "#b" } }),
    page.run({ type: "request_ui_tree", format: "text" }),
    page.run({ type: "type", target: { selector: "#i" }, text: "one" }),
    page.run({ type: "type", target: { selector: "#i" }, text: "two" }),
  ]);
  expect(a.receipt?.console?.map(({ text }) => text)).toEqual(["from a"]);
  expect(b.receipt?.console?.map(({ text }) => text)).toEqual(["from b"]);
  expect(a.receipt?.changed?.map(({ after }) => after)).toEqual(["A done"]);
  expect(b.receipt?.changed?.map(({ after }) => after)).toEqual(["B done"]);
  // Looking does not wait.
  expect(tree.result).toContain('button "B"');
  expect([first.value, second.value]).toEqual([{ value: "one" }, { value: "onetwo" }]);
});

test("a command that times out while it waits is not run", async () => {
  const page = await browser.open(`<button onclick="document.title = 'clicked'">B</button>`);
  const [slow, late] = await Promise.all([
    page.run({ type: "evaluate", code: "new Promise((resolve) => setTimeout(resolve, 2000))" }),
    page.run({ type: "click", target: { text: "B" }, timeoutMs: 100 }),
  ]);
  expect(slow).toMatchObject({ ok: true });
  expect(late).toMatchObject({ code: "timeout", message: expect.stringContaining("Nothing was done") });
  expect(await page.page.title()).toBe("Test");
  expect(await page.run({ type: "click", target: { text: "B" } })).toMatchObject({ ok: true });
});

test("code that never ends does not keep others from acting", async () => {
  const page = await browser.open(`<button onclick="document.title = 'clicked'">B</button>`);
  expect(await page.run({ type: "evaluate", code: "new Promise(() => {})", timeoutMs: 50 })).toMatchObject({
    code: "timeout",
  });
  expect(await page.run({ type: "click", target: { text: "B" } })).toMatchObject({ ok: true });
  expect(await page.page.title()).toBe("clicked");
});

test("a page that is being left accepts no more commands", async () => {
  const page = await browser.open(
    `<button onclick="window.name = 'clicked'">Delete</button><a href="/next">Next</a>`,
  );
  // A server that takes its time.
  await page.page.route("http://app.test/slow", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    await route.fulfill({ contentType: "text/html", body: "<button>Other</button>" });
  });
  const [left, ...after] = await page.page.evaluate(async () => {
    const { engine } = globalThis as unknown as {
      engine: { run(command: object, signal: AbortSignal): Promise<object> };
    };
    const run = (command: object) =>
      engine
        .run(command, new AbortController().signal)
        .catch(({ code, message, details }) => ({ code, message, details }));
    const click = { type: "click", target: { text: "Delete" } };
    const answers = [await run({ type: "navigate", url: "/slow" }), await run(click)];
    await new Promise((resolve) => setTimeout(resolve, 200));
    return [...answers, await run(click), await run({ type: "request_ui_tree", format: "text" })];
  });
  expect(left).toMatchObject({ receipt: { navigation: { to: "http://app.test/slow" } } });
  expect(after).toHaveLength(3);
  for (const answer of after) {
    expect(answer).toMatchObject({
      code: "not_actionable",
      message: expect.stringContaining("the page is being left for http://app.test/slow"),
      details: { retry: true },
    });
  }
  await page.page.waitForURL("**/slow");
  await page.page.getByText("Other").waitFor();
  expect(await page.page.evaluate("window.name")).toBe("");
  expect(await page.run({ type: "click", target: { text: "Other" } })).toMatchObject({ ok: true });
});

test("[ARC-049] dialogs of the browser are reported with their text and answer", async () => {
  const page = await browser.open(
    `<button onclick="alert('Saved'); document.title = [confirm('Delete it?'), prompt('Your name', 'x'), prompt('Your password')].join()">Go</button>`,
  );
  page.page.on("dialog", (dialog) => {
    if (dialog.type() === "confirm") return dialog.dismiss();
    return dialog.accept(dialog.message().includes("password") ? "hunter2!" : "Ada");
  });
  await page.page.click("button");
  expect(await page.page.title()).toBe("false,Ada,hunter2!");
  const lines = await page.messages("console");
  expect(lines.map(({ level, method, args }) => `${level} ${method}: ${args.join(" ")}`)).toEqual([
    "info alert: Saved",
    "info confirm: Delete it?",
    "info confirm: Delete it? answered false",
    "info prompt: Your name",
    "info prompt: Your name answered Ada",
    "info prompt: Your password",
    expect.stringMatching(/^info prompt: Your password answered (?!.*hunter2)/),
  ]);
  expect(lines.map(({ method }) => method)).toEqual([
    "alert",
    "confirm",
    "confirm",
    "prompt",
    "prompt",
    "prompt",
    "prompt",
  ]);
  expect(JSON.stringify(await page.allMessages())).not.toContain("hunter2");
});
