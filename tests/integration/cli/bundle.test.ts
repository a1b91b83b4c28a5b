import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../fixtures.js";

it("the bundle of the command keeps code that is only written into files: the test of a reproduction reads its own folder", () => {
  const folder = join(ROOT, "packages/cli/dist/bundle");
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const all = scripts.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  expect(all).toContain(String.raw`new URL(\"network.har\", import.meta.url)`);
  // And code that runs reads the files of its own package.
  expect(all).toContain('new URL("dist/reproduce/write/files.js", import.meta.resolve(');
});
