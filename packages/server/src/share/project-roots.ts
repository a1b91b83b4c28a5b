import { basename, isAbsolute } from "node:path";
import { asEmbedded } from "@debug-bridge/protocol/timeline";

/** A shorter folder could be a part of any address. */
const MIN_PARTS = 2;

/**
 * Where a project is on this machine says who works on it: in lines of JSON that are shared, only the name of its folder
 * is left.
 */
export function rootHider(roots: Iterable<string>): (line: string) => string {
  const pairs = [...roots]
    .filter((root) => isAbsolute(root) && root.split(/[\\/]/).filter(Boolean).length >= MIN_PARTS)
    // A project inside another one first.
    .sort((a, b) => b.length - a.length)
    .map((root) => [inJson(root), inJson(basename(root))] as const);
  return (line) => pairs.reduce((text, [root, name]) => text.replaceAll(root, () => name), line);
}

const inJson = (text: string): string => asEmbedded(JSON.stringify(text).slice(1, -1));
