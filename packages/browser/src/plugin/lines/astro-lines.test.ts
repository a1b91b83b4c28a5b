import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type Plugin } from "vite";
import { expect, it, onTestFinished } from "vitest";
import { astroLinePlugins, withAstroLines } from "./astro-lines.js";

/** Lines that are added for the places after each mark. */
function linesOf(marked: string, ...places: string[]): (string | undefined)[] {
  return places.map(
    (place) => /line="(\d+)"/.exec(withAstroLines(`<a data-astro-source-loc="${place}">`, marked))?.[1],
  );
}

it("finds where a tag begins from where it ends", () => {
  expect(linesOf("<p>\n  <button\n    title='a > b'\n  >Two</button>", "1:4", "4:4")).toEqual(["1", "2"]);
  expect(linesOf('<img\n  src="a" />', "1:2")).toEqual(["1"]);
});

it("passes over tags and brackets in values", () => {
  const source = "<ul\n  class={list.map((a) => `a > 1 ? {}>`)}\n  title={[<b\n>x</b>].length}>";
  expect(linesOf(source, "4:17", "4:2")).toEqual(["1", "3"]);
});

it("adds nothing where the place is no end of a tag", () => {
  expect(linesOf("<p>\n text</p>", "2:3", "7:1", "1:1")).toEqual([undefined, undefined, undefined]);
  expect(linesOf("a > b", "1:4")).toEqual([undefined]);
});

it("adds lines although the compiler is a plugin that comes first", async () => {
  const root = mkdtempSync(join(tmpdir(), "debug-bridge-astro-"));
  writeFileSync(join(root, "page.astro"), "---\n---\n<p\n>One</p>");
  const compiler: Plugin = {
    ...{ name: "compiler", enforce: "pre" },
    transform: (_code, id) =>
      id.endsWith(".astro") ? 'export default `<p data-astro-source-loc="4:2">`' : undefined,
  };
  const server = await createServer({
    ...{ root, configFile: false, logLevel: "silent", server: { middlewareMode: true, ws: false } },
    plugins: [compiler, ...astroLinePlugins()],
  });
  onTestFinished(async () => {
    await server.close();
    rmSync(root, { recursive: true });
  });
  const built = await server.transformRequest("/page.astro");
  expect(built?.code).toContain('data-astro-source-loc="4:2" data-debug-bridge-line="3"');
});
