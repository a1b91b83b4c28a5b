import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fail, log } from "./log.mjs";
import { run } from "./run.mjs";

/** Finds a `nats-server` for the tests. As root on Debian it installs one. */
export async function ensureNats() {
  const found = findNats();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    log("installing nats-server (apt-get) …");
    await run("apt-get", ["update", "-qq"], { quiet: true });
    const { code, output } = await run(
      "apt-get",
      ["install", "-y", "-qq", "--no-install-recommends", "nats-server"],
      { quiet: true, env: { DEBIAN_FRONTEND: "noninteractive" } },
    );
    if (code !== 0) process.stderr.write(output);
    const installed = findNats();
    if (installed) return installed;
  }
  return fail(
    "the tests need nats-server, and none was found. Install it (Debian and Ubuntu: sudo apt-get install nats-server; " +
      "macOS: brew install nats-server; else nats.io/download), or set NATS_PATH to its program",
  );
}

/** Debian installs it in /usr/sbin, which is not on the path of everybody. */
function findNats() {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/bin"];
  const candidates = [process.env.NATS_PATH, ...folders.map((folder) => join(folder, "nats-server"))];
  return candidates.find((path) => path && existsSync(path));
}
