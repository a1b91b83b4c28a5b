import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = fileURLToPath(new URL("start-server.mjs", import.meta.url));
/** Where the sources of elements are read from; see `main.js`. */
export const BUTTONS = 200;

const text = (version) => `export const text = "Version ${version}";
if (import.meta.hot) import.meta.hot.accept((module) => { document.querySelector("h1").textContent = module.text; });
`;
const FILES = {
  "package.json": '{"private": true, "type": "module"}',
  "index.html": '<!doctype html><h1></h1><main></main><script type="module" src="/src/main.js"></script>',
  "src/text.js": text(0),
  "src/main.js": `import { text } from "./text.js";
document.querySelector("h1").textContent = text;
for (let n = 0; n < ${BUTTONS}; n++) {
  const button = document.createElement("button");
  button.textContent = "Button " + n;
  button.__svelte_meta = { loc: { file: "src/list.svelte", line: n + 1 } };
  document.querySelector("main").append(button);
}
`,
};

/** An app with a module that is updated in place. The plugin is installed in it as npm does it, and not linked. */
export function createApp() {
  const projects = join(root, ".cache/projects");
  mkdirSync(projects, { recursive: true });
  const app = mkdtempSync(join(projects, "bench-"));
  mkdirSync(join(app, "src"));
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(app, name), content);
  for (const name of ["browser", "client", "page", "protocol"])
    for (const part of ["package.json", "dist"])
      cpSync(join(root, "packages", name, part), join(app, "node_modules/@debug-bridge", name, part), {
        recursive: true,
      });
  return app;
}

export function save(app, version) {
  writeFileSync(join(app, "src/text.js"), text(version));
}

/** Starts the server of an app in a process of its own; resolves when it has served the app's first modules. */
export async function startServer(app, mode, cache, env = {}) {
  const child = spawn(process.execPath, [program, app, join(app, cache), mode], {
    ...{ env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "inherit"] },
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    const stop = async () => {
      child.stdin.end();
      await ended;
    };
    return { ...JSON.parse(line), stop };
  }
  throw new Error("the server did not start");
}
