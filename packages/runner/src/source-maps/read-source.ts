import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { isLocalUrl } from "../report/local-url.js";

const FETCH_TIMEOUT_MS = 2_000;
const MAX_BYTES = 30_000_000;

/** Whether a page may make us read this address: its own origin on this machine, or a file for a page from a file. */
export function mayRead(url: string, page: string): boolean {
  if (!URL.canParse(url) || !URL.canParse(page)) return false;
  const [wanted, own] = [new URL(url), new URL(page)];
  if (wanted.protocol === "file:") return own.protocol === "file:";
  return isLocalUrl(wanted.href) && wanted.origin === own.origin;
}

/** The name that webpack gives to a module that it evaluates from a text. No server has it under that name. */
const EVALUATED = /^webpack-internal:\/\//;

/** The address at which Next.js serves the map of such a module, on the server of the page. */
export function evaluatedMapUrl(url: string, page: string): string | undefined {
  if (!EVALUATED.test(url) || !isLocalUrl(page)) return undefined;
  const at = new URL("/__nextjs_source-map", page);
  at.searchParams.set("filename", url);
  return at.href;
}

/** The text of a script or a map: from its server, else from the same path in the project. */
export async function readSource(url: string, project: string): Promise<string> {
  const { protocol, pathname } = new URL(url);
  if (protocol === "file:") return readBelow(project, fileURLToPath(url));
  try {
    return await download(url);
  } catch {
    return readBelow(project, join(project, decodeURIComponent(pathname)));
  }
}

async function download(url: string): Promise<string> {
  // A redirect could lead to another host.
  const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  if (!response.ok || !response.body) throw new Error(`no script at ${url}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Counted after decompression: a short answer may become a long text. Leaving the loop ends the request.
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`${url} has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Reads a regular file below a folder, not by way of links that lead out of it. */
async function readBelow(folder: string, path: string): Promise<string> {
  const root = await realpath(folder);
  const real = await realpath(path);
  if (!real.startsWith(root.endsWith(sep) ? root : root + sep))
    throw new Error(`${path} is not below ${folder}`);
  // Opening a pipe would block, and the path may have changed since.
  const file = await open(
    real,
    constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
  );
  try {
    const about = await file.stat();
    if (!about.isFile() || about.size > MAX_BYTES)
      throw new Error(`${path} is not a file of a readable size`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
