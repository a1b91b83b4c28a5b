import { createServer } from "vite";
import { citations } from "../lib/citations.mjs";
import { root } from "../lib/run.mjs";

/** The state of every requirement, from the list and from the tests that cite it. */
export async function requirementsPage() {
  const { requirements, notYetBuilt } = await loadLists();
  const cited = citations();
  const pending = new Set(notYetBuilt);
  const shown = requirements.filter(({ id }) => cited.has(id) && !pending.has(id)).length;
  const lines = [
    "# Requirements",
    "",
    `${requirements.length} requirements, ${shown} shown by tests, ${pending.size} not yet built.`,
    "",
    "| id | source | requirement | shown by |",
    "|---|---|---|---|",
    ...requirements.map(({ id, source, text }) => {
      const files = cited
        .get(id)
        ?.map((file) => `\`${file}\``)
        .join(" ");
      return `| ${id} | ${source} | ${text.replaceAll("|", "\\|")} | ${pending.has(id) ? "not yet built" : (files ?? "**nothing**")} |`;
    }),
  ];
  return [["requirements.md", `${lines.join("\n")}\n`]];
}

/** The lists are TypeScript; Vite reads them as the tests do. */
async function loadLists() {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: "error",
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, ws: false },
  });
  try {
    const { requirements } = await server.ssrLoadModule("/tests/requirements.ts");
    const { notYetBuilt } = await server.ssrLoadModule("/tests/requirements/not-yet-built.ts");
    return { requirements, notYetBuilt };
  } finally {
    await server.close();
  }
}
