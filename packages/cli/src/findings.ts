import { existsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChrome } from "@debug-bridge/runner/chrome";
import { DEFAULT_PORTS, homeFolder, readToken } from "@debug-bridge/server";

export interface Finding {
  /** `note`: neither good nor bad. */
  readonly state: "ok" | "note" | "wrong";
  readonly what: string;
  readonly detail: string;
  /** What to do about it. */
  readonly mend?: string;
}

/** Everything that the doctor looks at. */
export async function findings(home?: string): Promise<Finding[]> {
  const folder = homeFolder(home);
  return [node(), chrome(), sdk(), homeState(folder), tokenState(folder), ...(await portStates())];
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const detail = `Node ${process.versions.node}`;
  if (major > 20 || (major === 20 && minor >= 19)) return { state: "ok", what: "node", detail };
  return { state: "wrong", what: "node", detail, mend: "install Node 20.19 or later" };
}

function chrome(): Finding {
  const path = findChrome();
  if (path) return { state: "ok", what: "chrome", detail: path };
  return {
    state: "wrong",
    what: "chrome",
    detail: process.env.CHROME_PATH
      ? `CHROME_PATH is ${process.env.CHROME_PATH}, where nothing is`
      : "not found",
    mend: "install Chrome or Chromium (Debian: sudo apt-get install chromium), or set CHROME_PATH",
  };
}

function sdk(): Finding {
  const path = fileURLToPath(import.meta.resolve("@debug-bridge/browser/sdk.js"));
  if (existsSync(path)) return { state: "ok", what: "sdk", detail: path };
  return { state: "wrong", what: "sdk", detail: "not built", mend: "npm run build" };
}

function homeState(folder: string): Finding {
  if (!existsSync(folder))
    return { state: "note", what: "home", detail: `${folder} (made at the first start)` };
  return { state: "ok", what: "home", detail: folder };
}

function tokenState(folder: string): Finding {
  const file = join(folder, "token");
  if (!existsSync(file)) return { state: "note", what: "token", detail: "made at the first start" };
  if (!readToken(file)) {
    return {
      state: "wrong",
      what: "token",
      detail: `${file} holds no token`,
      mend: `rm ${file} and start the hub again`,
    };
  }
  const mode = statSync(file).mode & 0o777;
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    return {
      state: "wrong",
      what: "token",
      detail: `${file} can be read by others (${mode.toString(8)})`,
      mend: `chmod 600 ${file}`,
    };
  }
  return { state: "ok", what: "token", detail: file };
}

function portStates(): Promise<Finding[]> {
  return Promise.all(Object.entries(DEFAULT_PORTS).map(([name, port]) => portState(name, port)));
}

async function portState(name: string, port: number): Promise<Finding> {
  const what = `${name} port`;
  if (await isFree(port)) return { state: "note", what, detail: `${port} is free: no hub runs there` };
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2_000) })
    .then((response) => response.json() as Promise<{ ok?: boolean; version?: string }>)
    .catch(() => undefined);
  if (answer?.ok) return { state: "ok", what, detail: `${port}: a hub runs here, version ${answer.version}` };
  const flag = name === "hub" ? "--port" : `--${name}-port`;
  return {
    state: "wrong",
    what,
    detail: `${port} is taken by another program`,
    mend: `stop it, or choose another port: debug-bridge up ${flag} 0`,
  };
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
