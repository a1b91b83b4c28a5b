import { CHAIN_LIMITS, type ChainFrame } from "@debug-bridge/protocol";
import { stackOf } from "../app-data.js";

const FRAME = /^(?:at )?(?:(?:async |new )*(.*?)(?: \(|@))?([a-z][a-z+.-]*:\/\/[^\s()]+?):(\d+):(\d+)\)?$/i;
/** What a function was called on, which is no part of its name when the platform called it. */
const RECEIVER = /^(?:HTML\w*|Object|Window|Document|WebSocket|XMLHttpRequest|MessagePort)\./;
/** Calls of ours: the traps of our hooks, and callbacks that we wrap. */
const OURS = /\bdebugBridge\b|\bObject\.apply\b|\bObject\.construct\b|\/sdk(?:-\w+)?\.js[:?]|debug-bridge/;

/** What of ours runs in pages. */
const PACKAGES = /^(?:browser|page|protocol)\/dist\//;
/** Scripts that a bundler of the app made of ours, and the folder of our packages if it serves them one by one. */
const scripts = new Set<string>();
let folder: string | undefined;

/** All calls of this stack are ours: the names of scripts say that only where we chose them. */
export function addOurs(stack: string): void {
  for (const text of stack.split("\n")) {
    const [, , url] = FRAME.exec(text.trim()) ?? [];
    if (url === undefined) continue;
    scripts.add(url);
    folder ??= /^.*\/(?=page\/dist\/causes\/)/.exec(url)?.[0];
  }
}

const isOurs = (line: string, url: string): boolean =>
  OURS.test(line) ||
  scripts.has(url) ||
  (folder !== undefined && url.startsWith(folder) && PACKAGES.test(url.slice(folder.length)));

/** The app's own places in a stack, the innermost first. */
export function framesOf(stack: string, address: (url: string) => string): ChainFrame[] {
  const frames: ChainFrame[] = [];
  for (const text of stack.split("\n")) {
    const line = text.trim();
    const [, name, url, at, column] = FRAME.exec(line) ?? [];
    if (url === undefined || isOurs(line, url)) continue;
    frames.push({
      ...(name ? { name: name.replace(RECEIVER, "").slice(0, 200) } : {}),
      ...{ url: address(url).slice(0, 2_000), line: Number(at), column: Number(column) },
    });
    if (frames.length === CHAIN_LIMITS.frames) break;
  }
  return frames;
}

export const framesOfError = (error: Error | undefined, address: (url: string) => string): ChainFrame[] =>
  error ? framesOf(stackOf(error), address) : [];
