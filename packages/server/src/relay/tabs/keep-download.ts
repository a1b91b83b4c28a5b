import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { EndedDownload } from "@debug-bridge/driver";
import type { RelayCore } from "../relay-core.js";

/** The clocks of the browser and the hub may differ by a little. */
const CLOCK_MS = 1_000;

/**
 * Copies what an agent downloaded in a tab from the person's folder to another. When it cannot be copied, it stays where
 * the browser put it. `undefined` when that is not known, and for what a person downloads: that is not copied.
 */
export async function keepDownload(
  { extension, files }: Pick<RelayCore, "extension" | "files">,
  { url, bytes, since, byAgent }: EndedDownload,
  folder: string,
): Promise<string | undefined> {
  if (!byAgent) return undefined;
  const from = await new Promise<string | undefined>((resolve) => {
    extension.request("findDownload", JSON.stringify({ url, since: since - CLOCK_MS }), (outcome) => {
      const path = outcome.ok ? (JSON.parse(outcome.body) as { path?: unknown }).path : undefined;
      resolve(typeof path === "string" ? path : undefined);
    });
  });
  if (from === undefined) return undefined;
  // The extension finds it by its URL and time: a file of another size is another one.
  const found = await stat(from).catch(() => undefined);
  if (found?.size !== bytes) return undefined;
  return files.copy(from, folder, basename(from), since - CLOCK_MS).catch(() => from);
}
