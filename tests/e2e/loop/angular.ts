import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { PluginOption } from "vite";
import { ROOT } from "../../fixtures.js";

/** Angular's own compiler needs another version of TypeScript than this workspace, so it lives in another one. */
const compiler = createRequire(join(ROOT, "tests/libraries/package.json")).resolve("@angular/compiler-cli");

const SETTINGS = {
  compilerOptions: {
    ...{ target: "es2022", module: "es2022", moduleResolution: "bundler", lib: ["es2022", "dom"], types: [] },
    ...{
      outDir: "out",
      rootDir: "src",
      sourceMap: true,
      inlineSources: true,
      strict: true,
      skipLibCheck: true,
    },
  },
  files: ["src/main.ts"],
};

/** Compiles an Angular app ahead of time and bundles it, as its command does, from `src/main.ts` to `served/main.js`. */
export function angular(): PluginOption {
  return {
    name: "angular-compiler",
    async configResolved({ root }) {
      writeFileSync(join(root, "tsconfig.json"), JSON.stringify(SETTINGS));
      const command = join(compiler, "../src/bin/ngc.js");
      await promisify(execFile)(process.execPath, [command, "-p", "tsconfig.json"], { cwd: root });
      await build({
        ...{ absWorkingDir: root, entryPoints: ["out/main.js"], outdir: "served", logLevel: "silent" },
        ...{ bundle: true, packages: "external", format: "esm", sourcemap: true },
      });
    },
  };
}
