import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isAlive, replaceFile } from "@debug-bridge/journal";

/**
 * Writes where the hub of a home is, so that agents find it whatever its port: `hub.json` with `url` and `pid`. The
 * result takes it away again, unless another hub wrote it since.
 */
export function announceHub(home: string, url: string): () => void {
  const file = join(home, "hub.json");
  // From this machine, all addresses are reached by the one of loopback.
  const here = url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, "//127.0.0.1");
  const text = `${JSON.stringify({ url: here, pid: process.pid })}\n`;
  replaceFile(file, text);
  return () => {
    try {
      if (readFileSync(file, "utf8") === text) rmSync(file);
    } catch {
      // It is gone already.
    }
  };
}

/** Where the hub of a home is, when one runs. */
export function announcedHub(home: string): string | undefined {
  try {
    const { url, pid } = JSON.parse(readFileSync(join(home, "hub.json"), "utf8")) as {
      url: unknown;
      pid: unknown;
    };
    return typeof url === "string" && typeof pid === "number" && isAlive({ pid }) ? url : undefined;
  } catch {
    return undefined;
  }
}
