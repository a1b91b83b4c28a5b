import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "@debug-bridge/journal";

/**
 * Writes where the hub of a home is, so that agents find it whatever its port: `hub.json` with `url` and `pid`. The
 * result takes it away again, unless another hub wrote it since.
 */
export function announceHub(home: string, url: string): () => void {
  const file = join(home, "hub.json");
  const text = `${JSON.stringify({ url, pid: process.pid })}\n`;
  replaceFile(file, text);
  return () => {
    try {
      if (readFileSync(file, "utf8") === text) rmSync(file);
    } catch {
      // It is gone already.
    }
  };
}
