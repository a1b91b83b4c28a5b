import { fileURLToPath } from "node:url";
import { build, type InlineConfig } from "vite";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

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
