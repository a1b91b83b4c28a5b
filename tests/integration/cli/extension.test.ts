import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadPairingKey } from "@debug-bridge/client";
import { EXTENSION_ID } from "@debug-bridge/extension/id";
import { describe, expect, it } from "vitest";
import { runCli, startUp, temporaryFolder } from "../../fixtures.js";

const extension = async (home: string, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runCli(["extension", ...args, "--home", home]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.trim();
};
const configOf = (home: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(home, "extension/config.json"), "utf8"));
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe("debug-bridge extension", () => {
  it("writes the extension with its key into the home, readable by its owner only [ARC-101]", async () => {
    const home = temporaryFolder();
    const folder = await extension(home, "--path");
    expect(folder).toBe(join(home, "extension"));
    expect(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"))).toMatchObject({
      manifest_version: 3,
      key: expect.stringMatching(/^MIIBIj/),
    });
    expect(EXTENSION_ID).toBe("dhgkdhddoldfhgcjghpeaeiocampnkcb");
    expect([modeOf(folder), modeOf(join(folder, "config.json")), modeOf(join(home, "pairing-key"))]).toEqual([
      ...["700", "600", "600"],
    ]);
    expect(configOf(home)).toEqual({
      hub: { address: "ws://127.0.0.1", consolePort: 9223, relayPort: 19222 },
      pairingKey: loadPairingKey(home),
      share: "chosen",
    });
    const shown = await extension(home);
    expect(shown).toContain("chrome://extensions");
    expect(shown).not.toContain(loadPairingKey(home));
  });

  it("remembers what it shares, and is for the hub that runs", async () => {
    const { ready } = await startUp();
    const home = join(ready.tokenFile, "..");
    const hub = {
      ...{ address: "ws://127.0.0.1", consolePort: Number(new URL(ready.console).port) },
      relayPort: Number(new URL(ready.relay).port),
    };
    expect(JSON.parse(await extension(home, "--share", "all", "--json"))).toEqual({
      ...{ path: join(home, "extension"), hub, share: "all" },
    });
    await extension(home);
    expect(configOf(home)).toMatchObject({ hub, share: "all" });
  });

  it("is brought up to date when a hub starts, with its address and what it shares", async () => {
    const home = temporaryFolder();
    await extension(home, "--share", "all");
    const worker = join(home, "extension/worker.js");
    const built = readFileSync(worker, "utf8");
    writeFileSync(worker, "// of an older version");
    const config = { ...configOf(home), pairingKey: "00".repeat(32) };
    writeFileSync(join(home, "extension/config.json"), JSON.stringify(config));
    const doctor = await runCli(["doctor", "--home", home, "--json"]);
    expect(doctor.stdout).toContain("has another pairing key than the home");
    await startUp([], home);
    expect(readFileSync(worker, "utf8")).toBe(built);
    expect(configOf(home)).toEqual({ ...config, pairingKey: loadPairingKey(home) });
  });

  it("refuses to pair by a code when no hub runs, and says what to do", async () => {
    const { code, stderr } = await runCli(["extension", "--pair", "--home", temporaryFolder()]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("debug-bridge up")]);
  });
});
