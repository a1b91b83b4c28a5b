import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packages } from "../../scripts/lib/packages.mjs";
import { type Started, start, temporaryFolder, until } from "../fixtures.js";
import { installPublished } from "../support/docs/published.js";
import { installedClient } from "../support/hub/installed-client.js";

/** The oldest Node that is supported, and the newest of each later line that is. */
const VERSIONS = ["20.19.0", "22", "24"];
/** For programs that use the AI SDK, which they install themselves. */
const NEED_AI_SDK = /\/(ai-sdk|run)$/;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports?: Record<string, unknown>;
}

const manifests = packages().map(({ manifest }) => manifest as unknown as Manifest);

/** The entries of a package that are modules: all but files for pages, and the command, which runs when it is imported. */
function modulesOf(name: string): string[] {
  const { exports = {} } = manifests.find((manifest) => manifest.name === name) as Manifest;
  return Object.entries(exports)
    .filter(([, target]) => typeof target !== "string")
    .map(([entry]) => posix.join(name, entry))
    .filter((entry) => entry !== "debug-bridge" && !NEED_AI_SDK.test(entry));
}

let published: Awaited<ReturnType<typeof installPublished>>;
beforeAll(async () => {
  published = await installPublished();
});
afterAll(() => published?.remove());

/** The program of one version of Node, from the registry. */
async function nodeProgram(version: string): Promise<string> {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  return join(await installedClient(name, version), "..", name, "bin", "node");
}

describe.each(VERSIONS)("on Node %s, the packages in an empty project [ARC-116]", (version) => {
  let node: string;
  beforeAll(async () => {
    node = await nodeProgram(version);
  });
  const run = (args: string[], env: Record<string, string> = {}): Started =>
    start(node, args, { DEBUG_BRIDGE_HOME: temporaryFolder(), ...env }, published.app);
  const cli = (): string => join(published.app, "node_modules/debug-bridge/bin/debug-bridge.js");

  it("are run by this version", async () => {
    const { stdout } = await run(["--version"]).finished;
    expect(stdout.trim()).toMatch(new RegExp(`^v${version.replaceAll(".", "\\.")}(\\.|$)`));
  });

  it.each(manifests.filter(({ name }) => modulesOf(name).length > 0))(
    "let $name be imported by each of its entries",
    async ({ name }) => {
      const code = modulesOf(name)
        .map((entry) => `await import(${JSON.stringify(entry)});`)
        .join("\n");
      const { code: exit, stderr } = await run(["--input-type=module", "--eval", code]).finished;
      expect(`${exit} ${stderr}`).toBe("0 ");
    },
  );

  it("have a command that prints its version", async () => {
    const { stdout, code } = await run([cli(), "--version"]).finished;
    expect(code).toBe(0);
    expect(stdout.trim()).toBe(manifests.find(({ name }) => name === "debug-bridge")?.version);
  });

  it("have a command that checks the set-up", async () => {
    const { stdout, stderr } = await run([cli(), "doctor", "--json"]).finished;
    expect(() => JSON.parse(stdout), stderr).not.toThrow();
  });

  it("have a hub that starts, serves the SDK and ends", async () => {
    const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0"];
    const hub = run([cli(), "up", "--json", ...ports]);
    await until(() => hub.output.stdout.includes("\n") || hub.child.exitCode !== null);
    expect(hub.output.stderr).toBe("");
    const { hub: url, tokenFile } = JSON.parse(hub.output.stdout);
    expect(existsSync(tokenFile)).toBe(true);
    expect((await fetch(`${url}/sdk.js`)).status).toBe(200);
    const authorization = `Bearer ${readFileSync(tokenFile, "utf8").trim()}`;
    const sessions = await fetch(`${url}/v1/sessions`, { headers: { authorization } });
    expect(await sessions.json()).toMatchObject({ sessions: [] });
    hub.child.kill("SIGTERM");
    expect((await hub.finished).code).toBe(0);
  });
});
