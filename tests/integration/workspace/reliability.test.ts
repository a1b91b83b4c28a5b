import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../fixtures.js";

const FOLDER = join(ROOT, "tests/faults");
const tests = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => file.split(".")[0] as string);
const page = readFileSync(join(ROOT, "docs/reliability.md"), "utf8");
const rows = [...page.matchAll(/^\|.*\| `npm run test:faults -- ([\w-]+)` \|$/gm)].map(
  ([, name = ""]) => name,
);

describe("docs/reliability.md", () => {
  it("has one row for every fault test, and no other", () => {
    expect(rows.toSorted()).toEqual(tests.toSorted());
  });

  it("has rows of runs in which faults were tried and nothing was lost", () => {
    const results = readdirSync(join(FOLDER, "results"));
    expect(results.length).toBeGreaterThan(5);
    for (const file of results) {
      const result = JSON.parse(readFileSync(join(FOLDER, "results", file), "utf8"));
      expect(tests).toContain(file.replace(/\.json$/, ""));
      expect(result).toMatchObject({ lost: 0, acknowledged: expect.any(Number) });
      expect(result.acknowledged).toBeGreaterThan(0);
      for (const times of Object.values(result.tried)) expect(times).toBeGreaterThan(0);
    }
  });
});
