import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { build, type InlineConfig } from "vite";
import { CHROMIUM } from "../../support/chromium.js";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

export function launchChromium(extra: readonly string[] = []): Promise<Browser> {
  const { executablePath, args } = CHROMIUM;
  return chromium.launch({ executablePath, args: [...args, ...extra] });
}

/** Bundles one entry into a script that a page can run, and returns its source. */
export async function bundleScript(entry: string, name: string, config: InlineConfig = {}): Promise<string> {
  const output = await build({
    configFile: false,
    root,
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
    ...config,
    build: {
      write: false,
      minify: false,
      lib: { entry, name, formats: ["iife"], fileName: name },
      ...config.build,
    },
  });
  const outputs = Array.isArray(output) ? output : [output];
  for (const each of outputs) {
    if ("output" in each) for (const chunk of each.output) if (chunk.type === "chunk") return chunk.code;
  }
  throw new Error(`bundling ${entry} gave no script`);
}
