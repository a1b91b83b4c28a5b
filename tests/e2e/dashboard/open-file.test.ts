import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { type DashboardStage, dashboardStage } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

const record = (sequence: number, text: string): string =>
  JSON.stringify({
    type: "console",
    timestamp: new Date(Date.UTC(2026, 0, 1) + sequence).toISOString(),
    ...{ sessionId: "s", sequence, data: { level: "log", text } },
  });

const row = (page: Page, name: RegExp | string) => page.getByRole("row", { name });

async function choose({ page }: DashboardStage, label: "File" | "Folder", path: string): Promise<void> {
  await page.getByRole("button", { name: "Open a file" }).waitFor();
  await page.getByLabel(label, { exact: true }).setInputFiles(path);
}

describe("a recording that is opened as a file", () => {
  it("is shown from a file dialog, a folder and a drop, and stays in the page", async () => {
    const dashboard = await dashboardStage(browser, []);
    const { page, home } = dashboard;
    const folder = join(home, "given");
    mkdirSync(folder);
    writeFileSync(join(folder, "events.jsonl"), [1, 2, 3].map((i) => `${record(i, `line ${i}`)}\n`).join(""));
    writeFileSync(join(folder, "session.json"), JSON.stringify({ name: "Checkout" }));
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") sent.push(request.url());
    });
    await choose(dashboard, "File", join(folder, "events.jsonl"));
    await row(page, /line 3/).waitFor();
    await row(page, /line 2/).click();
    await page.getByRole("article", { name: "Record 2" }).waitFor();
    await page.getByRole("link", { name: "Debug Bridge" }).click();
    await choose(dashboard, "Folder", folder);
    await page.getByRole("heading", { name: "Checkout" }).waitFor();
    await row(page, /line 1/).waitFor();
    await page.evaluate(
      (line) => {
        const data = new DataTransfer();
        data.items.add(new File([line], "dropped.jsonl"));
        dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true, bubbles: true }));
      },
      record(1, "it was dropped"),
    );
    await row(page, /it was dropped/).waitFor();
    await page.getByRole("heading", { name: "dropped.jsonl" }).waitFor();
    expect(sent).toEqual([]);
    await page.reload();
    await page.getByText("no longer open in this page").waitFor();
  });

  it("does nothing that a hostile file says, and shows the rest of it", async () => {
    const dashboard = await dashboardStage(browser, []);
    const { page, home, problems, ready } = dashboard;
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    const evil = `"><img src=https://evil.example/x onerror="window.hacked=1"><script>window.hacked=1</script>`;
    const time = "2026-01-01T00:00:00.000Z";
    const lines = [
      record(1, evil),
      '{"type":"console","timestamp":"2026-01-01T00:00:00.001Z","sequence":2,"__proto__":{"hacked":1},"data":{"__proto__":{"hacked":1},"constructor":{"prototype":{"hacked":1}},"level":"log","text":"prototype"}}',
      "not json",
      "[]",
      "null",
      '{"type":5,"timestamp":[]}',
      `{"type":"console","timestamp":"${time}","sequence":9e99,"causedBy":{},"data":7}`,
      `{"type":"network","timestamp":"${time}","sequence":-3,"data":{"phase":{},"url":[],"status":"x","headers":5}}`,
      `{"type":"console","timestamp":"${time}","sequence":20,"data":${"[".repeat(200_000)}${"]".repeat(200_000)}}`,
      record(30, "the last line"),
    ];
    const code = JSON.stringify({ name: evil, excerpt: { url: 5, lines: "x" } });
    const html = [
      "<!doctype html><script>window.hacked=1</script>",
      '<script type="application/x-ndjson" id="debug-bridge-contents">',
      JSON.stringify({
        name: evil,
        kind: {},
        kinds: { __proto__: 5, console: "x" },
        leftOut: [evil, 5],
        records: -1,
      }),
      "</script>",
      '<script type="application/x-ndjson" id="debug-bridge-code">',
      code,
      "</script>",
      '<script type="application/x-ndjson" id="debug-bridge-records">',
      ...lines,
      "</script>",
      '<script type="application/x-ndjson" id="debug-bridge-files">',
      JSON.stringify({ name: "../../x.svg", type: "image/svg+xml", data: "PHN2Zz4=" }),
      JSON.stringify({ name: "pictures/1.jpg", type: "image/jpeg", data: "%%%" }),
      "</script>",
    ];
    writeFileSync(join(home, "evil.jsonl"), lines.join("\n"));
    writeFileSync(join(home, "evil.html"), html.join("\r\n"));
    for (const name of ["evil.jsonl", "evil.html"]) {
      await page.goto(`${ready.hub}/#`);
      await choose(dashboard, "File", join(home, name));
      await row(page, /the last line/).waitFor();
      for (const each of await page.locator(".record-list .row").all()) {
        await each.click();
        await page.getByRole("article", { name: /^Record \d+/ }).waitFor();
      }
      await page.getByRole("button", { name: "What is in this file" }).click();
      await page.getByText("5 lines are not records, or too long, and were left out.").waitFor();
      await page.keyboard.press("Escape");
    }
    expect(await page.evaluate(() => "hacked" in window || "hacked" in {})).toBe(false);
    expect(await page.locator("#root img, #root script, #root iframe").count()).toBe(0);
    expect(requested.filter((url) => !url.startsWith(`${ready.hub}/`))).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("leaves out a line of 100 MB, and refuses a file without records", async () => {
    const dashboard = await dashboardStage(browser, []);
    const { page, home } = dashboard;
    const long = `{"type":"console","data":"${"x".repeat(100_000_000)}"}`;
    writeFileSync(join(home, "long.jsonl"), `${record(1, "before")}\n${long}\n${record(2, "after")}\n`);
    await choose(dashboard, "File", join(home, "long.jsonl"));
    await row(page, /after/).waitFor();
    await row(page, /before/).waitFor();
    await page.getByRole("button", { name: "What is in this file" }).click();
    await page.getByText("1 lines are not records, or too long, and were left out.").waitFor();
    await page.keyboard.press("Escape");
    writeFileSync(join(home, "empty.jsonl"), "nothing\nhere\n");
    await page.getByRole("link", { name: "Debug Bridge" }).click();
    await choose(dashboard, "File", join(home, "empty.jsonl"));
    await page.getByText("empty.jsonl has no records that can be read.").waitFor();
  });
});
