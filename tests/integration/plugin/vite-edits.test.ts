import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { debugBridge } from "@debug-bridge/browser/vite";
import type { Receipt } from "@debug-bridge/protocol";
import { createServer, type InlineConfig } from "vite";
import { expect, it, onTestFinished } from "vitest";
import { startUp, temporaryFolder, until } from "../../fixtures.js";
import { projectFolder } from "../../support/hub/project.js";
import { setHome } from "../../support/hub/set-home.js";
import { WireClient } from "../../support/hub/wire-client.js";

const FILES = {
  "index.html": '<script type="module" src="/main.js"></script>',
  "main.js": 'import "./total.js";\n',
  "total.js": "export const total = 1;\nimport.meta.hot?.accept();\n",
  "other.js": "export const other = 1;\n",
};
/** Longer than a server waits for an update that does not come. */
const SLOW_MS = 1_500;

/** A development server whose page has loaded `main.js`, and the outcome of a save. */
async function serve(config: InlineConfig = {}) {
  const home = temporaryFolder();
  const { ready } = await startUp([], home);
  setHome(home);
  await WireClient.connect(ready.hub, { role: "app", sessionId: "app" });
  const token = readFileSync(ready.tokenFile, "utf8").trim();
  const agent = await WireClient.connect(ready.hub, { role: "agent", sessionId: "app", token });
  const root = projectFolder(FILES);
  const vite = await createServer({
    ...{ root, configFile: false, logLevel: "silent", cacheDir: join(root, ".vite") },
    ...config,
    plugins: [debugBridge({ sessionId: "app", development: true }), ...(config.plugins ?? [])],
    server: { port: 0, host: "127.0.0.1", ...config.server },
  });
  onTestFinished(() => vite.close());
  await vite.listen();
  for (const url of ["/main.js", "/total.js"]) await vite.transformRequest(url);
  let saves = 0;
  // A watcher that has just begun misses a save now and then: it is saved again.
  return (file: string): Promise<string> =>
    until(async () => {
      writeFileSync(join(root, file), `${FILES[file as keyof typeof FILES]}// ${++saves}\n`);
      const { receipt } = await agent.command({ type: "wait_for", edit: file, maxMs: 20_000 });
      return (receipt as Receipt | undefined)?.edit?.outcome;
    }, 60_000);
}

it("a file whose update takes long is not said to be used by no page", async () => {
  const slow = {
    name: "slow",
    hotUpdate: () => new Promise<void>((resolve) => setTimeout(resolve, SLOW_MS)),
  };
  const save = await serve({ plugins: [slow] });
  expect(await save("total.js")).toBe("hot_update");
  expect(await save("other.js")).toBe("unused");
});

it("a file that pages have but get no update of is not said to be used by no page", async () => {
  const save = await serve({ plugins: [{ name: "drops", hotUpdate: () => [] }] });
  expect(await save("total.js")).toBe("no_update");
  expect(await save("other.js")).toBe("unused");
});

it("a server without hot updates says which files pages have", async () => {
  const save = await serve({ server: { hmr: false } });
  expect(await save("total.js")).toBe("no_update");
  expect(await save("other.js")).toBe("unused");
});

it("an error that a plugin throws instead of an update is a build error", async () => {
  const throwing = {
    name: "throws",
    hotUpdate({ file }: { readonly file: string }) {
      throw Object.assign(new Error("cannot be read"), { id: file });
    },
  };
  expect(await (await serve({ plugins: [throwing] }))("total.js")).toBe("build_error");
});
