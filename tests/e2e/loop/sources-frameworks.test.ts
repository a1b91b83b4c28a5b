import { preact } from "@preact/preset-vite";
import type { Browser } from "playwright-core";
import solid from "vite-plugin-solid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { angular } from "./angular.js";
import { jsxApp } from "./jsx-app.js";
import { startLoop } from "./stage.js";
import { expectExact, NAMES, page } from "./twenty.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

const written = (
  files: ReturnType<typeof jsxApp>,
): Parameters<typeof expectExact> extends [unknown, ...infer Both] ? Both : never => [
  {
    path: "src/app.tsx",
    text: files["src/app.tsx"],
    component: "App",
    at: (name) => `<button title="${name}"`,
  },
  {
    path: "src/parts/more.tsx",
    text: files["src/parts/more.tsx"],
    component: "More",
    at: (name) => `{"${name}"}`,
  },
];

test("the source of twenty elements of a Preact app is exact, and leads back to them", async () => {
  const files = jsxApp(`import { render } from "preact";
import { App } from "./app.tsx";
render(<App />, document.getElementById("root")!);
`);
  const { mcp } = await startLoop(browser, files, { plugins: [preact()] });
  await expectExact(mcp, ...written(files));
});

test("the source of twenty elements of a Solid app is exact, and no attribute is added", async () => {
  const files = jsxApp(`import { render } from "solid-js/web";
import { App } from "./app.tsx";
render(() => <App />, document.getElementById("root")!);
`);
  const { mcp, page: app } = await startLoop(browser, files, { plugins: [solid()] });
  await expectExact(mcp, ...written(files));
  expect(
    await app
      .locator("button")
      .first()
      .evaluate((button) => button.outerHTML),
  ).toMatch(/^<button title="Item 1">/);
});

const litApp = {
  "index.html": page("app-root.ts", "<app-root></app-root>"),
  "src/app-root.ts": `import { html, LitElement } from "lit";
import "./more-items.ts";
interface Unused { readonly gone: string }

class AppRoot extends LitElement {
  static properties = { names: { type: Array } };
  declare names: string[];
  constructor() {
    super();
    this.names = ${JSON.stringify(NAMES.slice(5))};
  }
  render() {
    return html\`
      <main>
${NAMES.slice(0, 5)
  .map(
    (name) =>
      `        <button title="${name}" @click=\${() => this.names.push("x > y")}>\n          ${name}\n        </button>`,
  )
  .join("\n")}
        \${this.names.map((name) => html\`<span>\${name}</span>\`)}
${NAMES.slice(5)
  .map((name) => `        <button title="${name}">\${"${name}"}</button>`)
  .join("\n")}
        <more-items></more-items>
      </main>
    \`;
  }
}
customElements.define("app-root", AppRoot);
`,
  "src/more-items.ts": `import { html, LitElement } from "lit";
type AlsoGone = string;
export class MoreItems extends LitElement {
  render() {
    const isMany = true;
    return html\`<h2>More</h2>\${isMany ? html\`
${NAMES.map((name) => `      <button>More ${name}</button>`).join("\n\n")}\` : html\`<p>none</p>\`}\`;
  }
}
customElements.define("more-items", MoreItems);
`,
};

test("the source of twenty elements of a Lit app is exact, and leads back to them", async () => {
  const { mcp } = await startLoop(browser, litApp, { plugins: [] });
  await expectExact(
    mcp,
    {
      path: "src/app-root.ts",
      text: litApp["src/app-root.ts"],
      component: "AppRoot",
      at: (name) => `<button title="${name}"`,
    },
    {
      path: "src/more-items.ts",
      text: litApp["src/more-items.ts"],
      component: "MoreItems",
      at: (name) => `<button>More ${name}<`,
    },
  );
});

test("only the component is shown for Lit templates that cannot be distinguished", async () => {
  const alike = (name: string): string => `
class ${name} extends LitElement {
  render() {
    return html\`<button>\${"${name}"}</button>\`;
  }
}
customElements.define("${name.toLowerCase()}-x", ${name});
`;
  const { mcp } = await startLoop(
    browser,
    {
      "index.html": page("main.ts", "<one-x></one-x><two-x></two-x>"),
      "src/main.ts": `import { html, LitElement } from "lit";${alike("One")}${alike("Two")}`,
    },
    { plugins: [] },
  );
  const { text } = await mcp.call("observe", { session: "app", source: true });
  expect(text).toMatch(/button "One" \(One\)/);
  expect(text).toMatch(/button "Two" \(Two\)/);
});

const angularApp = {
  "index.html":
    '<!doctype html><title>Shop</title><app-root></app-root><script type="module" src="/served/main.js"></script>',
  "src/main.ts": `import "@angular/compiler";
import { Component, provideZonelessChangeDetection, signal } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { More } from "./more";
interface Unused { readonly gone: string }

@Component({
  selector: "app-root",
  imports: [More],
  template: \`
    <main>
${NAMES.slice(0, 8)
  .map((name) => `      <button title="${name}" (click)="add()">\n        ${name}\n      </button>`)
  .join("\n")}
      @for (name of names(); track name) {
        <span>{{ name }}</span> <button>{{ name }}</button>
      }
      <app-more />
    </main>
  \`,
})
export class App {
  readonly names = signal(${JSON.stringify(NAMES.slice(8))});
  add(): void { this.names.update((all) => [...all, "another"]); }
}
bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] });
`,
  "src/more.ts": `import { Component } from "@angular/core";
@Component({ selector: "app-more", templateUrl: "./more.html" })
export class More { word = "More"; }
`,
  "src/more.html": `<section>
${NAMES.map((name) => `  <button>{{ word }} ${name}</button>`).join("\n\n")}
</section>
`,
};

test("the source of twenty elements of an Angular app is exact, in templates of classes and of files", async () => {
  const { mcp } = await startLoop(browser, angularApp, { plugins: [angular()] });
  await expectExact(
    mcp,
    {
      ...{ path: "src/main.ts", text: angularApp["src/main.ts"], component: "App" },
      at: (name) => (NAMES.indexOf(name) < 8 ? `<button title="${name}"` : "<button>{{ name }}"),
    },
    {
      ...{ path: "src/more.html", text: angularApp["src/more.html"], component: "More" },
      at: (name) => `${name}</button>`,
    },
  );
});

test("elements of a plain page are shown with the place of the function that handles them", async () => {
  const main = `interface Unused { readonly gone: string }

const [one, two] = document.querySelectorAll("button");
const note = (text: string) => console.log(text);
one.onclick = (event: MouseEvent) => {
  note(\`one \${event.type}\`);
};
two.onclick = function save(this: HTMLElement) { note("two"); };
`;
  const files = {
    "index.html": page("main.ts", "<button>One</button><button>Two</button><button>Three</button>"),
    "src/main.ts": main,
  };
  const { mcp } = await startLoop(browser, files, { plugins: [] });
  const { text } = await mcp.call("observe", { session: "app", source: true });
  expect(text).toContain('button "One" (src/main.ts:5 click listener)');
  expect(text).toContain('button "Two" (src/main.ts:8 click listener)');
  expect(text).toMatch(/button "Three"$/m);
});
