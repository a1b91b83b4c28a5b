import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { dashboardStage } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

const EVIL = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\u202E\u0000</pre>`;

/** A record with the text in every field that the dashboard reads. */
const fieldsOf = (text: string): object => ({
  ...{
    level: text,
    method: text,
    text,
    message: text,
    reason: text,
    stack: `${text}\n at ${text} (${text}:1:2)`,
  },
  ...{
    args: [text],
    values: [{ type: "object", className: text, value: { [text]: { type: "string", value: text } } }],
  },
  ...{
    location: { url: text, line: 1, column: 2 },
    resource: { tag: text, url: text },
    frame: { url: text, isTop: false },
  },
  ...{
    id: "r",
    phase: "response",
    api: text,
    url: text,
    status: 500,
    statusText: text,
    body: text,
    error: text,
  },
  ...{
    scope: text,
    state: { [text]: text },
    type: text,
    client: text,
    target: { text },
    success: false,
    details: text,
  },
  ...{
    receipt: {
      settled: true,
      durationMs: 1,
      appeared: text,
      text: { added: [text], removed: [text], passing: [text] },
    },
  },
  ...{ content: [{ type: "text", text }], input: text, result: text, usage: { [text]: text }, name: text },
});

it("shows whatever a recording holds as text, and does nothing that it says", async () => {
  const { page, home, problems, ready } = await dashboardStage(browser, []);
  const folder = join(home, "debug/sessions/evil");
  mkdirSync(folder, { recursive: true });
  const about = {
    id: "evil",
    pid: 1,
    startTime: "2026-01-01T00:00:00.000Z",
    cwd: "/",
    kind: "app",
    name: EVIL,
  };
  writeFileSync(join(folder, "session.json"), JSON.stringify(about));
  const types = [
    "console",
    "error",
    "network",
    "command",
    "command_result",
    "state_update",
    "tool_call_start",
    EVIL,
  ];
  const odd = [null, 5, "text", [], { receipt: 5, values: 7, location: [] }];
  const lines = [
    ...types.map((type) => ({ type, data: fieldsOf(EVIL) })),
    ...types.flatMap((type) => odd.map((data) => ({ type, data }))),
  ].map(({ type, data }, i) =>
    JSON.stringify({
      type,
      timestamp: "2026-01-01T00:00:00.000Z",
      sessionId: EVIL,
      sequence: i + 1,
      causedBy: i % 3,
      data,
    }),
  );
  writeFileSync(join(folder, "events.jsonl"), `${lines.join("\n")}\nnot json\n`);
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.reload();
  await page.getByRole("link", { name: /onerror/ }).click();
  const kinds = "action,error,network,console,page,state,agent,request,dom,other";
  for (let sequence = 1; sequence <= lines.length; sequence++) {
    await page.goto(`${ready.hub}/#recording=evil&kinds=${kinds}&record=${sequence}`);
    await page.getByRole("article", { name: `Record ${sequence}`, exact: true }).waitFor();
  }
  expect(await page.getByText("[U+202E]").count()).toBeGreaterThan(0);
  expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  expect(await page.locator("#root img, #root script, #root iframe").count()).toBe(0);
  expect(requested.filter((url) => !url.startsWith(`${ready.hub}/`))).toEqual([]);
  expect(problems).toEqual([]);
});
