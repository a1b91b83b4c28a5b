import { readdirSync, readFileSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url);

/** The pages in the order in which people need them, without `.md`. */
const GROUPS = {
  Use: [
    ...["README", "docs/mcp", "docs/view", "docs/loop", "docs/why", "docs/recording", "docs/dashboard"],
    ...["docs/chat", "docs/browser-action", "docs/console", "docs/relay", "docs/agents", "docs/scale"],
    "docs/deploy",
  ],
  Reference: [
    ...["docs/agent-spec", "docs/security", "docs/reliability", "docs/performance", "bench/RESULTS"],
    "docs/glossary",
    ...filesIn("docs/protocol"),
  ],
  Packages: readdirSync(new URL("packages", ROOT)).map((name) => `packages/${name}/README`),
  Project: [
    ...[
      "docs/architecture",
      "CONTRIBUTING",
      "AGENTS",
      "SECURITY",
      "CHANGELOG",
      "docs/generated/requirements",
    ],
    ...filesIn("docs/decisions"),
  ],
};

/** The list beside each page, with the titles that the pages have. A page of docs/ that is in no group is an error. */
export function sidebar() {
  const listed = new Set(Object.values(GROUPS).flat());
  const missing = filesIn("docs").filter((page) => !listed.has(page));
  if (missing.length > 0) throw new Error(`no place in the sidebar: ${missing.join(", ")}`);
  return Object.entries(GROUPS).map(([text, pages]) => ({
    text,
    collapsed: text !== "Use",
    items: pages.map((page) => ({ text: titleOf(page), link: page === "README" ? "/" : `/${page}` })),
  }));
}

function filesIn(folder) {
  const files = readdirSync(new URL(folder, ROOT)).filter((name) => name.endsWith(".md"));
  return files.map((name) => `${folder}/${name.slice(0, -3)}`);
}

function titleOf(page) {
  const text = readFileSync(new URL(`${page}.md`, ROOT), "utf8");
  return /^# (.+)$/m.exec(text)?.[1].replaceAll("`", "") ?? page;
}
