import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { wires } from "@debug-bridge/protocol/schemas";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { filesBelow } from "../../../scripts/lib/packages.mjs";
import { ROOT } from "../../fixtures.js";

/** Members of objects that no code of ours touches: Range, FontFaceSet, PluginArray, AudioContext, RTCPeerConnection. */
const UNUSED_PLATFORM_NAMES = new Set(["detach", "loaded", "refresh", "suspend", "transport"]);

const { INTERNAL_NAMES: names } = (await import(
  pathToFileURL(join(ROOT, "packages/browser/internal-names.mjs")).href
)) as { INTERNAL_NAMES: readonly string[] };

function platformNames(): Set<string> {
  const compiler = join(ROOT, "node_modules/@typescript");
  const found = new Set<string>();
  for (const folder of readdirSync(compiler)) {
    for (const file of filesBelow(join(compiler, folder, "lib"), (path: string) =>
      /lib\.(dom|es)[\w.]*\.d\.ts$/.test(path),
    ) as string[])
      for (const [, name = ""] of readFileSync(file, "utf8").matchAll(
        /^\s+(?:readonly )?(?:get |set )?"?([A-Za-z_$][\w$]*)"?\??\s*[(:<]/gm,
      ))
        found.add(name);
  }
  return found;
}

function wireNames(): Set<string> {
  const found = new Set<string>();
  for (const { schema } of Object.values(wires)) {
    const json = JSON.stringify(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }));
    for (const [, name = ""] of json.matchAll(/"([A-Za-z_$][\w$]*)":/g)) found.add(name);
  }
  return found;
}

describe("the names that the SDK's bundles shorten", () => {
  it("are none of the platform", () => {
    const platform = platformNames();
    expect(platform.has("addEventListener")).toBe(true);
    expect(names.filter((name) => platform.has(name) && !UNUSED_PLATFORM_NAMES.has(name))).toEqual([]);
  });

  it("are none on a wire", () => {
    const wire = wireNames();
    expect(wire.has("sessionId")).toBe(true);
    expect(names.filter((name) => wire.has(name))).toEqual([]);
  });

  it("are none in the value of an answer, which has no schema", () => {
    const inValues = ["position", "moved", "at", "element", "matches", "values", "version", "url", "source"];
    expect(names.filter((name) => inValues.includes(name))).toEqual([]);
  });

  it("are none of the public API", () => {
    const main = fileURLToPath(import.meta.resolve("@debug-bridge/browser"));
    const types = ["index.d.ts", "options.d.ts", "adapters.d.ts"].map((file) =>
      readFileSync(join(dirname(main), file), "utf8"),
    );
    types.push(readFileSync(join(ROOT, "packages/page/dist/options.d.ts"), "utf8"));
    const api = new Set(
      [...types.join("\n").matchAll(/\b([A-Za-z_]\w*)\??[:(]/g)].map(([, name = ""]) => name),
    );
    expect(api.has("getUiTreeItems")).toBe(true);
    expect(names.filter((name) => api.has(name))).toEqual([]);
  });
});
