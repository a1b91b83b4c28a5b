import { BridgeError } from "@debug-bridge/protocol";
import type { Machine } from "./find.js";

const PAGE = "https://www.google.com/chrome/";

/** How a person installs Chrome on their system. We never do it for them. */
export function installSteps(platform: NodeJS.Platform): string {
  if (platform === "win32" || platform === "darwin") return `Install Chrome from ${PAGE}`;
  return [
    "Install Chrome or Chromium:",
    "  Debian, Ubuntu:  sudo apt update && sudo apt install chromium",
    "  Fedora, RHEL:    sudo yum install chromium",
    `  others:          ${PAGE}`,
  ].join("\n");
}

export function noChrome({
  platform = process.platform,
  env = process.env,
}: Partial<Machine> = {}): BridgeError {
  const why = env.CHROME_PATH
    ? `CHROME_PATH is ${env.CHROME_PATH}, which does not exist; correct or unset it.`
    : "no Chrome was found on this machine.";
  return new BridgeError(
    "not_supported",
    `${why} ${installSteps(platform)}\nThen send the instruction again.`,
  );
}
