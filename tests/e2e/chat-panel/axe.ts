import axe from "axe-core";
import type { Page } from "playwright-core";
import { isLong } from "../../support/machine/long-mode.js";

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

type Look = readonly [colorScheme: "light" | "dark", width: number];

/** Both themes and both widths: in the long mode each with each, else each once. */
export function looksAt(narrow: number, wide: number): Look[] {
  const looks: Look[] = [
    ["light", narrow],
    ["dark", wide],
  ];
  return isLong ? [...looks, ["light", wide], ["dark", narrow]] : looks;
}

/** What axe finds in a page now. */
export async function violations(page: Page): Promise<string[]> {
  // The page's own policy forbids scripts from elsewhere; the debugger may run one.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe: inPage } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    return (await inPage.run()).violations;
  });
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
