import { expect } from "vitest";
import type { McpUser } from "../mcp/client.js";

/** The names of twenty buttons: ten in each of two components. */
export const NAMES = Array.from({ length: 10 }, (_, i) => `Item ${i + 1}`);

export const page = (script: string, body = '<div id="root"></div>'): string =>
  `<!doctype html><title>Shop</title>${body}<script type="module" src="/src/${script}"></script>`;

/** The line of a text in a file, from 1. */
export const lineOf = (text: string, part: string): number =>
  text.slice(0, text.indexOf(part)).split("\n").length;

interface Written {
  readonly path: string;
  readonly text: string;
  readonly component: string;
  /** What the line of a button has. */
  at(name: string): string;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Checks that the buttons of two files are shown with their places, and that these lead back to them. */
export async function expectExact(mcp: McpUser, first: Written, second: Written): Promise<void> {
  const { text } = await mcp.call("observe", { session: "app", source: true, maxTokens: 4_000 });
  for (const [written, prefix] of [
    [first, ""],
    [second, "More "],
  ] as const)
    for (const name of NAMES) {
      const place = `${written.path}:${lineOf(written.text, written.at(name))} ${written.component}`;
      expect(text).toMatch(new RegExp(`button "${prefix}${name}".* \\(${escaped(place)}\\)`));
    }
  const line = lineOf(second.text, second.at("Item 3"));
  const found = await mcp.call("find", {
    session: "app",
    role: "button",
    source: `${second.path.split("/").at(-1)}:${line}`,
  });
  expect(found.text).toContain('button "More Item 3"');
  expect(found.text).not.toContain("Item 4");
  const byComponent = await mcp.call("find", { session: "app", role: "button", source: second.component });
  expect(byComponent.text).toContain("More Item 10");
}
