import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { SourceMaps } from "./source-maps.js";

it("maps stack frames whose URL contains parentheses", async () => {
  const folder = mkdtempSync(join(tmpdir(), "debug-bridge-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const app = join(folder, "(app)");
  mkdirSync(app);
  const map = { version: 3, sources: ["page.ts"], names: [], mappings: "AAEA" };
  const comment = `//# sourceMappingURL=data:application/json,${encodeURIComponent(JSON.stringify(map))}`;
  writeFileSync(join(app, "page.js"), `save();\n${comment}`);
  const at = pathToFileURL(join(app, "page")).href;
  const stack = `Error: no\n    at save (${at}.js:1:1)\n    at ${at}.js:1:1\n    at <anonymous>`;
  expect(await new SourceMaps(folder).mapStack(stack, pathToFileURL(join(folder, "index.html")).href)).toBe(
    `Error: no\n    at save (${at}.ts:3:1)\n    at ${at}.ts:3:1\n    at <anonymous>`,
  );
});

it("maps scripts whose map is a list of maps", async () => {
  const folder = mkdtempSync(join(tmpdir(), "debug-bridge-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const part = (source: string) => ({ version: 3, sources: [source], names: [], mappings: "AAEA" });
  const map = {
    version: 3,
    sections: [
      { offset: { line: 0, column: 0 }, map: part("first.ts") },
      { offset: { line: 1, column: 0 }, map: part("second.ts") },
    ],
  };
  const comment = `//# sourceMappingURL=data:application/json,${encodeURIComponent(JSON.stringify(map))}`;
  writeFileSync(join(folder, "chunk.js"), `one();\ntwo();\n${comment}`);
  const url = pathToFileURL(join(folder, "chunk.js")).href;
  expect(await new SourceMaps(folder).locate({ url, line: 2, column: 1 }, url)).toEqual({
    url: pathToFileURL(join(folder, "second.ts")).href,
    line: 3,
    column: 1,
  });
});

it("asks the server of Next.js for the map of a module that webpack evaluates from a text", async () => {
  const module = "webpack-internal:///(app-pages-browser)/./app/page.tsx";
  const map = { version: 3, sources: ["webpack://_N_E/./app/page.tsx?c0de"], names: [], mappings: "AAEA" };
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const isKnown = pathname === "/__nextjs_source-map" && searchParams.get("filename") === module;
    response.writeHead(isKnown ? 200 : 404).end(isKnown ? JSON.stringify(map) : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const stack = (name: string) => `Error: no\n    at save (${name}:1:1)`;
  const maps = new SourceMaps();
  expect(await maps.mapStack(stack(module), page)).toBe(
    stack("webpack://_N_E/app/page.tsx").replace(":1:1", ":3:1"),
  );
  // What the server does not know stays as it is, and no other machine is asked.
  const unknown = "webpack-internal:///./other.ts";
  expect(await maps.mapStack(stack(unknown), page)).toBe(stack(unknown));
  expect(await maps.mapStack(stack(module), "https://example.com/")).toBe(stack(module));
  expect(asked).toHaveLength(2);
});
