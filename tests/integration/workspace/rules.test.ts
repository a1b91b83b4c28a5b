import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Finished, ROOT, start, temporaryFolder } from "../../fixtures.js";

/** A small workspace with some files planted in it. */
function workspace(files: Record<string, string>): string {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const check = (script: string, root: string): Promise<Finished> =>
  start(process.execPath, [join(ROOT, "scripts", script), root]).finished;

const manifest = (name: string): string => JSON.stringify({ name });

describe("the import rules", () => {
  it("hold for this workspace", async () => {
    expect(await check("check-imports.mjs", ROOT)).toMatchObject({ code: 0, stderr: "" });
  });

  it.each([
    ["another package", "import { x } from '@debug-bridge/server';"],
    ["the validators, in a package for pages", "import { decode } from '@debug-bridge/protocol/schemas';"],
    ["a file of another package", "import { x } from '../../protocol/src/index.js';"],
    ["another package, through export", 'export { x } from "@debug-bridge/journal";'],
    ["another package, for its types", 'import type { X } from "@debug-bridge/journal";'],
    ["another package, at run time", 'const x = await import("@debug-bridge/journal");'],
  ])("fail on an import of %s", async (_what, line) => {
    const root = workspace({
      "packages/page/package.json": manifest("@debug-bridge/page"),
      "packages/page/src/index.ts": `${line}\n`,
      "packages/protocol/src/index.ts": "export const x = 1;\n",
    });
    const { code, stderr } = await check("check-imports.mjs", root);
    expect(code).toBe(1);
    expect(stderr).toContain("packages/page/src/index.ts imports");
  });

  it("fail on a cycle, and not on one of types alone", async () => {
    const cycle = (b: string): string =>
      workspace({
        "packages/page/package.json": manifest("@debug-bridge/page"),
        "packages/page/src/a.ts": 'import { b } from "./b.js";\nexport const a = () => b;\n',
        "packages/page/src/b.ts": b,
      });
    const real = await check(
      "check-imports.mjs",
      cycle('import { a } from "./a.js";\nexport const b = () => a;\n'),
    );
    expect(real.code).toBe(1);
    expect(real.stderr).toContain(
      "import cycle: packages/page/src/a.ts -> packages/page/src/b.ts -> packages/page/src/a.ts",
    );
    const types = await check(
      "check-imports.mjs",
      cycle('import type { a } from "./a.js";\nexport const b = 1 as unknown as typeof a;\n'),
    );
    expect(types.code).toBe(0);
  });

  it("fail on a package that is not in the table", async () => {
    const { code, stderr } = await check(
      "check-imports.mjs",
      workspace({ "packages/extra/package.json": manifest("extra") }),
    );
    expect(code).toBe(1);
    expect(stderr).toContain("packages/extra");
  });
});

describe("the file sizes", () => {
  it("fail on a file above 400 lines", async () => {
    const root = workspace({
      "packages/page/src/long.ts": "export {};\n".repeat(401),
      "packages/page/src/short.ts": "export {};\n",
    });
    const { code, stderr } = await check("check-sizes.mjs", root);
    expect(code).toBe(1);
    expect(stderr).toContain("packages/page/src/long.ts has 401 lines");
  });
});
