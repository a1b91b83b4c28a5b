import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { removeFolder, start, temporaryFolder, until } from "../fixtures.js";
import type { FrameworkApp } from "./apps.js";

/** Creates an app below a folder as its framework does, with the packages of this workspace. It is gone when the test is. */
export async function createApp(
  framework: Pick<FrameworkApp, "create">,
  parent: string,
  tarballs: readonly string[],
): Promise<string> {
  const app = join(parent, "app");
  mkdirSync(parent);
  onTestFinished(() => removeFolder(parent));
  await create(framework, parent, app);
  await run(
    ["npm", "install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error", ...tarballs],
    app,
  );
  return app;
}

async function create(
  { create: how }: Pick<FrameworkApp, "create">,
  parent: string,
  app: string,
): Promise<void> {
  if (Array.isArray(how)) return run(how as string[], parent);
  for (const [path, text] of Object.entries(how as Record<string, string>)) {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    writeFileSync(join(app, path), text);
  }
}

/** Puts the SDK into an app, and leads it to a hub. */
export async function wire(
  { wire: how }: Pick<FrameworkApp, "wire">,
  app: string,
  hub: string,
): Promise<void> {
  const url = `${hub.replace("http", "ws")}/debug`;
  if (how !== "init") {
    const [file, before, after] = how;
    change(app, [file, before, after.replace("HUB", hub).replace("URL", url)]);
    return;
  }
  await run(["npx", "debug-bridge", "init", "--client", "cursor", "--hub", hub, "--yes"], app);
  // The hub of this test is not at the address that the plugin uses by itself.
  for (const config of ["vite.config.ts", "vite.config.js"]) {
    const text = readIfThere(join(app, config));
    if (text)
      writeFileSync(join(app, config), text.replace("debugBridge()", `debugBridge({ url: "${url}" })`));
  }
}

/** Starts the development server of an app; resolves to its address when it answers. */
export async function serve(
  { serve: command }: Pick<FrameworkApp, "serve">,
  app: string,
  home: string,
): Promise<string> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const quiet = {
    NEXT_TELEMETRY_DISABLED: "1",
    ASTRO_TELEMETRY_DISABLED: "1",
    NG_CLI_ANALYTICS: "false",
    CI: "1",
  };
  const [program = "", ...args] = command(String(port));
  const child = spawn(join(app, "node_modules/.bin", program), args, {
    // Astro has no hot updates in tests, which this is not one of.
    ...{
      cwd: app,
      env: { ...process.env, ...quiet, DEBUG_BRIDGE_HOME: home, VITEST: "", NODE_ENV: "development" },
    },
    // Some servers start others, which end with their group.
    ...{ detached: true, stdio: ["ignore", "pipe", "pipe"] },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data) => {
      output += data;
    });
  onTestFinished(() => {
    if (child.pid) process.kill(-child.pid, "SIGKILL");
  });
  const url = `http://127.0.0.1:${port}/`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(output);
    return fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  }, 300_000);
  return url;
}

/** Runs a program to its end; its output is in the error if it fails. */
export async function run(
  [command = "", ...args]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  // Settings of this machine are not used, and packages that it has are not loaded again.
  const own = { HOME: temporaryFolder(), npm_config_cache: join(homedir(), ".npm") };
  const { finished } = start(command, args, { ...own, ...env }, cwd);
  const { code, stdout, stderr } = await finished;
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: ${stdout}${stderr}`);
}

/** Replaces a text in a file, or the whole file. */
export function change(app: string, [file, before, after]: readonly [string, string, string]): void {
  const path = join(app, file);
  // Nothing to replace: the whole file.
  const text = before === "" ? "" : readFileSync(path, "utf8");
  if (!text.includes(before)) throw new Error(`${file} does not contain ${before}:\n${text}`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, before === "" ? after : text.replace(before, after));
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
