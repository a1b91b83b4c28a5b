import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { startLoop } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

const FILES = {
  "index.html": `<!doctype html><div id="root"></div><aside><button>Both</button></aside>
<script type="module" src="/src/main.ts"></script>`,
  "src/main.ts": `interface Gone { readonly text: string }
import { rows } from "./rows.ts";

const root = document.getElementById("root") as HTMLElement;
root.innerHTML = \`
  <h1>Shop</h1>
  <button id="pay" type="button"></button>
  <ul>\${rows()}</ul>
  <p>
    <a href="/help"
      >Help</a>
  </p>
\`;
document.querySelector("#pay")!.textContent = "Pay";
const made = document.createElement("button");
made.textContent = "Made";
const twice = document.createElement("section");
twice.innerHTML = \`<b>Sum</b><button>Twice</button>\`;
document.body.append(made, twice);
`,
  "src/rows.ts": `const names = ["One", "Two"];
export const both = \`<button>Both</button>\`;
export const again = \`<b>Sum</b><button>Twice</button>\`;

export const rows = (): string =>
  names.map((name) => \`<li>
    Row <button title="row">\${name}</button>
  </li>\`).join("");
`,
};

test("elements of a plain page lead to the one template literal that they are from, or nowhere", async () => {
  const { mcp } = await startLoop(browser, FILES);
  const { text } = await mcp.call("observe", { session: "app", source: true, maxTokens: 4_000 });
  expect(text).toContain('button "Pay" (src/main.ts:7)');
  expect(text).toContain('link "Help" (src/main.ts:10)');
  for (const name of ["One", "Two"])
    expect(text).toMatch(new RegExp(`button "${name}".* \\(src/rows\\.ts:7\\)`));
  // The document has one too, code made one without markup, and two literals are alike.
  for (const name of ["Both", "Made", "Twice"]) {
    expect(text).toContain(`button "${name}"`);
    expect(text).not.toMatch(new RegExp(`button "${name}".*\\.ts:`));
  }
  const requests = (await mcp.call("logs", { session: "app", types: ["network"] })).text;
  expect(requests).not.toContain("main.ts");
});
