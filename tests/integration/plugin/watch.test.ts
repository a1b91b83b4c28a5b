import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { debugBridge as esbuildPlugin } from "@debug-bridge/browser/esbuild";
import { debugBridge as rollupPlugin } from "@debug-bridge/browser/rollup";
import { debugBridge as rspackPlugin } from "@debug-bridge/browser/rspack";
import { debugBridge as webpackPlugin } from "@debug-bridge/browser/webpack";
import { HubClient, requireHub } from "@debug-bridge/client";
import type { Receipt } from "@debug-bridge/protocol";
import { rspack } from "@rspack/core";
import * as esbuild from "esbuild";
import { watch } from "rollup";
import { expect, it, onTestFinished } from "vitest";
import webpack from "webpack";
import { startUp, temporaryFolder, until } from "../../fixtures.js";
import { projectFolder } from "../../support/hub/project.js";
import { setHome } from "../../support/hub/set-home.js";
import { WireClient } from "../../support/hub/wire-client.js";

const CODE = "// Prices are numbers.\nexport const total = (prices) => prices.length;\n";
const FILES = {
  "main.js": `import { text } from "./text.js";
import { part } from "./part.js";
import { total } from "./total.js";
import "./style.css";
document.body.append(text, part(), total([1, 2]));
`,
  "text.js": 'export const text = "Your cart";\n',
  "part.js": 'export const part = () => document.createElement("p");\n',
  "style.css": "p { color: black; }\n",
  "total.js": CODE,
};
/** What each of the first three saves changes. */
const SAVES = { "text.js": '"Your cart"', "style.css": "black", "part.js": '"p"' } as const;
/** A watcher that has not seen a save by then has missed it, or the machine is slow. */
const SAVED_AGAIN_MS = 3_000;
/** In the words of each bundler, and nothing before them that only looks good in a terminal. */
const SYNTAX_ERROR = /^[\w"].*(?:token|found|expected)/i;
/** Building the SDK itself would take most of the time. */
const EXTERNAL = ["@debug-bridge/browser"];
const OPTIONS = { sessionId: "app" };

type Edit = NonNullable<Receipt["edit"]>;

/** Builds a project again whenever a file is saved; resolves after the first build. */
type Watch = (root: string) => Promise<() => Promise<unknown>>;

interface WatchingCompiler {
  watch(options: object, done: () => void): unknown;
  close(done: () => void): void;
}

const compilerWatch = (compiler: WatchingCompiler): Promise<() => Promise<unknown>> =>
  new Promise((resolve) => {
    const close = () => new Promise<void>((closed) => compiler.close(closed));
    compiler.watch({ aggregateTimeout: 20 }, () => resolve(close));
  });

const config = (root: string, plugin: unknown) => ({
  ...{ context: root, mode: "development" as const, entry: "./main.js", plugins: [plugin] as never[] },
  externals: EXTERNAL,
  output: { path: join(root, "out") },
  module: { rules: [{ test: /\.css$/, type: "css/auto" as const }] },
});

/** Rollup knows no styles. */
const styles = {
  name: "styles",
  transform: (code: string, id: string) =>
    id.endsWith(".css") ? { code: `export default ${JSON.stringify(code)};`, map: null } : undefined,
};

const BUNDLERS: Readonly<Record<string, Watch>> = {
  webpack: (root) =>
    compilerWatch(
      webpack({ ...config(root, webpackPlugin(OPTIONS)), experiments: { css: true } }) as WatchingCompiler,
    ),
  rspack: (root) => compilerWatch(rspack(config(root, rspackPlugin(OPTIONS))) as WatchingCompiler),
  async rollup(root) {
    const watcher = watch({
      ...{ input: join(root, "main.js"), plugins: [rollupPlugin(OPTIONS), styles], external: EXTERNAL },
      output: { dir: join(root, "out") },
    });
    await new Promise<void>((resolve) =>
      watcher.on("event", (event) => {
        if (event.code === "BUNDLE_END") void event.result.close();
        if (event.code === "END") resolve();
      }),
    );
    return () => watcher.close();
  },
  async esbuild(root) {
    const context = await esbuild.context({
      ...{ absWorkingDir: root, entryPoints: ["main.js"], outdir: "out", bundle: true, format: "esm" },
      ...{ external: EXTERNAL, define: { "process.env.NODE_ENV": '"development"' } },
      ...{ logLevel: "silent", plugins: [esbuildPlugin(OPTIONS)] },
    });
    await context.rebuild();
    await context.watch();
    return () => context.dispose();
  },
};

it.each(Object.entries(BUNDLERS))(
  "%s reports a saved text, style and component, a syntax error with its place, and that it is fixed",
  async (_name, begin) => {
    const home = temporaryFolder();
    const { ready } = await startUp([], home);
    setHome(home);
    await WireClient.connect(ready.hub, { role: "app", sessionId: "app" });
    const hub = new HubClient({ hub: () => requireHub({ home }), name: "test" });
    const results = async (since: number): Promise<{ sequence: number; edit: Edit }[]> => {
      const { events } = await hub.events("app", since, ["edit_result"]);
      return events.flatMap(({ sequence, data }) => {
        const { edit } = (data as { receipt: Receipt }).receipt;
        return edit ? [{ sequence, edit }] : [];
      });
    };
    const root = projectFolder(FILES);
    workIn(root);
    const close = await begin(root);
    onTestFinished(async () => void (await close()));
    // Watchers miss a save now and then: right after they began, and right after another one. Then it is saved again; the
    // effect of the first save that was seen is in the timeline, however late it came.
    const editUntil = async (code: () => string, outcome: string, file = "total.js"): Promise<Edit> => {
      const before = (await results(0)).at(-1)?.sequence ?? 0;
      let savedAt = 0;
      return until(async () => {
        if (Date.now() > savedAt + SAVED_AGAIN_MS) {
          writeFileSync(join(root, file), code());
          savedAt = Date.now();
        }
        const found = (await results(before)).find(
          ({ edit }) => edit.outcome === outcome && edit.files.includes(file),
        );
        return found?.edit;
      });
    };

    for (const [file, part] of Object.entries(SAVES)) {
      const code = FILES[file as keyof typeof SAVES];
      const changed = part === "black" ? () => `#${Date.now() % 1_000}` : () => `"${Date.now()}"`;
      const saved = await editUntil(() => code.replace(part, changed()), "rebuilt", file);
      expect(saved.files).toContain(file);
    }
    expect(await editUntil(() => CODE.replace("=>", "=> ((("), "build_error")).toMatchObject({
      files: ["total.js"],
      error: {
        ...{ file: "total.js", line: 2, message: expect.stringMatching(SYNTAX_ERROR) },
        frame: expect.stringContaining("(prices) => ((("),
      },
    });
    expect(await editUntil(() => CODE, "rebuilt")).toMatchObject({
      ...{ files: ["total.js"], gone: [expect.stringMatching(SYNTAX_ERROR)] },
    });
  },
);

/** Rollup takes the folder that it was started in as the root of the project. */
function workIn(folder: string): void {
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
}
