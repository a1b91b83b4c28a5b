import { describe, expect, test } from "vitest";
import type { Recording, Step } from "../recording/types.js";
import { exchangesOf } from "../replay/replay.js";
import { harOf } from "./har.js";
import { testSource } from "./playwright-test.js";
import { reportText } from "./report.js";

const HOSTILE = '"]); process.exit(); //\u2028`$` <img src=x>';
const step = (id: number, more: Partial<Step>): Step => ({
  ...{
    id,
    at: id,
    action: "click",
    by: "person",
    locators: [{ by: "role", role: "button", value: HOSTILE }],
  },
  ...more,
});
const recording: Recording = {
  ...{
    url: "http://localhost/",
    time: 0,
    ends: 100,
    timeZone: "UTC",
    language: "en",
    width: 800,
    height: 600,
  },
  ...{ steps: [], exchanges: [], failures: [] },
};
const failure = { kind: "error", message: HOSTILE, at: 5 } as const;

describe("what a reproduction writes", () => {
  test("text of a page is data in the test, whatever it contains", () => {
    const steps = [
      step(0, {}),
      step(1, { action: "fill", value: HOSTILE }),
      step(2, { action: "fill", secret: "pass word" }),
      step(3, { action: "select", value: "A\nB" }),
      step(4, { action: "press", key: "Enter", locators: [] }),
      step(5, { action: "upload", files: [HOSTILE] }),
    ];
    const found = new Map();
    const source = testSource({
      ...{ recording, failure, steps, found, timed: false, network: "recorded", usesNetwork: false },
    });
    const code = source.replaceAll(/^import .*$/gm, "");
    expect(() => new Function("test", "expect", code.replaceAll(": string[]", ""))).not.toThrow();
    expect(source).toContain(
      `getByRole("button", { name: ${JSON.stringify(HOSTILE)}, exact: true }).click()`,
    );
    expect(source).toContain('fill(process.env["SECRET_PASS_WORD"] ?? "secret")');
    expect(source).toContain('selectOption([{"label":"A"},{"label":"B"}])');
    expect(source).toContain('page.keyboard.press("Enter")');
  });

  test("text of a page is no markup in the report", () => {
    const text = reportText({
      ...{ recording, failure, steps: [step(0, {})], found: new Map(), rate: { failed: 4, of: 5 } },
      ...{ isMinimal: true, timed: false, excerpt: undefined, pictures: [], notes: [], trials: 9, ms: 1_000 },
    });
    expect(text).not.toMatch(/(?<!\\)<img/);
    expect(text).toContain("in 4 of 5 replays, so it is flaky");
  });

  test("a HAR file is read back as it was written", () => {
    const exchanges = [
      {
        ...{ method: "POST", url: "http://localhost/api?a=1", postData: "{}", status: 201, body: "ok" },
        ...{ headers: { "content-type": "text/plain" }, from: 10, until: 30 },
      },
      { method: "GET", url: "http://localhost/x", status: 0, headers: {}, from: 1, until: 2, failed: true },
    ];
    expect(exchangesOf(harOf(exchanges, 0))).toEqual(exchanges);
  });
});
