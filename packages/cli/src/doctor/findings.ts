import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  announcedHubs,
  checkHub,
  type HubAddress,
  homeFolder,
  pairingKey,
  requestedHub,
  requestedHubs,
  tokenOf,
} from "@debug-bridge/client";
import { findChrome } from "@debug-bridge/runner/chrome";
import { DEFAULT_PORTS } from "@debug-bridge/server";
import { extensionFolder, isCurrent, readConfig } from "../extension/folder.js";
import { isPortFree } from "../hub/find-or-start.js";
import { VERSION } from "../version.js";
import { appFindings } from "./app-findings.js";
import type { Finding } from "./finding.js";

/** Everything that the doctor checks; with the address of an app, that app too. */
export async function findings(address: HubAddress, app?: string): Promise<Finding[]> {
  const home = homeFolder(address.home);
  return [
    node(),
    chrome(),
    sdk(),
    homeState(home),
    secretState(home, "token", tokenOf(home) !== undefined),
    secretState(home, "pairing-key", pairingKey(home) !== undefined),
    extensionState(home),
    ...(await hubStates(address, home)),
    ...(await portStates()),
    ...(app === undefined ? [] : await appFindings(app, hubOfApps(address, home))),
  ];
}

/** Where apps connect to. */
function hubOfApps(address: HubAddress, home: string): string {
  return requestedHub(address) ?? announcedHubs(home)[0]?.url ?? `http://127.0.0.1:${DEFAULT_PORTS.hub}`;
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const detail = `Node ${process.versions.node}`;
  if (major > 20 || (major === 20 && minor >= 19)) return { state: "ok", what: "node", detail };
  return { state: "wrong", what: "node", detail, fix: "install Node 20.19 or later" };
}

function chrome(): Finding {
  const path = findChrome();
  if (path) return { state: "ok", what: "chrome", detail: path };
  return {
    state: "wrong",
    what: "chrome",
    detail: process.env.CHROME_PATH
      ? `CHROME_PATH is ${process.env.CHROME_PATH}, which does not exist`
      : "not found",
    fix: "install Chrome or Chromium (Debian: sudo apt-get install chromium), or set CHROME_PATH",
  };
}

function sdk(): Finding {
  const path = fileURLToPath(import.meta.resolve("@debug-bridge/browser/sdk.js"));
  if (existsSync(path)) return { state: "ok", what: "sdk", detail: path };
  return { state: "wrong", what: "sdk", detail: "not built", fix: "npm run build" };
}

function homeState(folder: string): Finding {
  const isThere = existsSync(folder);
  let nearest = resolve(folder);
  while (!existsSync(nearest)) nearest = dirname(nearest);
  if (!statSync(nearest).isDirectory()) {
    const fix = "choose another folder with --home";
    return { state: "wrong", what: "home", detail: `${nearest} is not a folder`, fix };
  }
  try {
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
    return isThere
      ? { state: "ok", what: "home", detail: folder }
      : { state: "note", what: "home", detail: `${folder} (created at the first start)` };
  } catch {
    const fix = `chmod u+rwx ${nearest}, or choose another folder with --home`;
    return { state: "wrong", what: "home", detail: `${nearest} is not writable`, fix };
  }
}

/** A secret of the home: whether it is there, is one, and is readable by its owner only. */
function secretState(folder: string, name: string, isSecret: boolean): Finding {
  const file = join(folder, name);
  const what = name.replace("-", " ");
  if (!existsSync(file)) return { state: "note", what, detail: "created at the first start" };
  if (!isSecret) {
    const fix = `rm ${file} and start the hub again`;
    return { state: "wrong", what, detail: `${file} does not contain a ${what}`, fix };
  }
  const open = openToOthers(file);
  return open
    ? { state: "wrong", what, detail: `${file} can be read by others (${open})`, fix: `chmod 600 ${file}` }
    : { state: "ok", what, detail: file };
}

/** The mode of a file or folder that others may read. */
function openToOthers(path: string): string | undefined {
  const mode = statSync(path).mode & 0o777;
  return process.platform !== "win32" && (mode & 0o077) !== 0 ? mode.toString(8) : undefined;
}

/** The copy of the extension in the home: whether it is of this version and has the key of the home. */
function extensionState(home: string): Finding {
  const what = "extension";
  const folder = extensionFolder(home);
  const config = readConfig(folder);
  const fix = "debug-bridge extension, then reload it in chrome://extensions";
  if (!config)
    return { state: "note", what, detail: "not written yet; debug-bridge extension shows how to load it" };
  const open = openToOthers(folder);
  if (open)
    return {
      ...{ state: "wrong", what, detail: `${folder} can be read by others (${open})` },
      fix: `chmod 700 ${folder}`,
    };
  if (config.pairingKey !== pairingKey(home))
    return { state: "wrong", what, detail: `${folder} has another pairing key than the home`, fix };
  if (!isCurrent(folder)) return { state: "wrong", what, detail: `${folder} is of another version`, fix };
  return { state: "ok", what, detail: `${folder}, shares ${config.share} tabs` };
}

/** The hub that was asked for, or all hubs of the home, whatever their ports. */
async function hubStates(address: HubAddress, home: string): Promise<Finding[]> {
  const requested = requestedHubs(address);
  const hubs = announcedHubs(home);
  const urls = requested.length === 0 ? hubs.map(({ url }) => url) : requested;
  if (urls.length === 0)
    return [
      { state: "note", what: "hub", detail: `no hub runs for ${home}; start one with: debug-bridge up` },
    ];
  const token = tokenOf(home);
  return Promise.all(
    urls.map(async (url): Promise<Finding> => {
      const health = await checkHub(url, token);
      const pid = hubs.find((hub) => hub.url === url)?.pid;
      const process = pid === undefined ? "" : `, process ${pid}`;
      if (health?.isProven && health.version !== VERSION) {
        const fix = "stop that hub and start it again";
        const detail = `${url} is of version ${health.version}, and this command of ${VERSION}${process}`;
        return { state: "wrong", what: "hub", detail, fix };
      }
      if (health?.isProven)
        return { state: "ok", what: "hub", detail: `${url}, version ${health.version}${process}` };
      if (health) {
        const fix = "use the home of that hub: --home DIR";
        return { state: "wrong", what: "hub", detail: `${url} does not know the token of ${home}`, fix };
      }
      const fix =
        pid === undefined
          ? "start a hub with: debug-bridge up"
          : `end process ${pid} and start the hub again`;
      return { state: "wrong", what: "hub", detail: `${url} does not answer${process}`, fix };
    }),
  );
}

function portStates(): Promise<Finding[]> {
  return Promise.all(Object.entries(DEFAULT_PORTS).map(([name, port]) => portState(name, port)));
}

async function portState(name: string, port: number): Promise<Finding> {
  const what = `${name} port`;
  if (await isPortFree(port)) return { state: "note", what, detail: `${port} is free` };
  const health = await checkHub(`http://127.0.0.1:${port}`, undefined);
  if (health) return { state: "ok", what, detail: `${port}: a hub runs here, version ${health.version}` };
  const flag = name === "hub" ? "--port" : `--${name}-port`;
  return {
    state: "wrong",
    what,
    detail: `${port} is used by another program`,
    fix: `stop it, or choose another port: debug-bridge up ${flag} 0`,
  };
}
