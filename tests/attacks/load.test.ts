import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ROOT } from "../fixtures.js";
import { someOf } from "../support/machine/long-mode.js";

const run = promisify(execFile);
const folder = join(ROOT, "bench/hub/load");
const { ROWS } = (await import(join(folder, "rows.mjs"))) as { ROWS: Record<string, unknown> };
const { exceeded } = (await import(join(folder, "limits.mjs"))) as {
  exceeded(row: unknown): string[];
};

/** Kinds of attack. `npm test` runs one of each of some of them. */
const KINDS = [/idle|slow-loris/, /^app,/, /^agent,|agents/, /^console wire/, /^CDP/, /MB/, /recorded/];
const names = Object.keys(ROWS);
const ofKind = (kind: RegExp): string[] => names.filter((name) => kind.test(name));

/** Another program can spoil a measurement, but hardly three in a row. */
const ATTEMPTS = 3;

/** The attacks run for real against a hub in a separate process, for two seconds each. */
describe("V13: a load that costs others nothing", () => {
  it("has one kind for each attack", () => {
    expect(KINDS.flatMap(ofKind).sort()).toEqual(names.toSorted());
  });

  it.each(someOf(KINDS, 4).flatMap((kind) => someOf(ofKind(kind), 1)))("%s", async (name) => {
    const attempts: string[] = [];
    while (attempts.length < ATTEMPTS) {
      const { stdout } = await run(process.execPath, [join(folder, "run.mjs"), name, "2"]);
      const wrong = exceeded(JSON.parse(stdout));
      if (wrong.length === 0) return;
      attempts.push(`${wrong.join("; ")} in ${stdout}`);
    }
    expect.fail(attempts.join("\n"));
  });
});
