import { statSync } from "node:fs";
import { posix } from "node:path";

const ROOT = new URL("../../", import.meta.url);

/** A plugin for markdown-it: links to folders and to files that are no pages lead to the repository. */
export function fileLinks(markdown, repository) {
  markdown.core.ruler.push("file_links", ({ tokens, env }) => {
    const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === "link_open");
    for (const link of links) {
      const [target] = link.attrGet("href").split("#");
      if (target === "" || target.endsWith(".md") || target.includes(":")) continue;
      const path = posix.join(posix.dirname(env.relativePath), target);
      const kind = kindOf(path);
      if (kind) link.attrSet("href", `${repository}/${kind}/main/${path}`);
    }
  });
}

function kindOf(path) {
  const entry = statSync(new URL(path, ROOT), { throwIfNoEntry: false });
  return entry && (entry.isDirectory() ? "tree" : "blob");
}
