import { createVite, type FrameworkApp, vite } from "./apps.js";

type Change = readonly [file: string, before: string, after: string];

/** A save, and what its receipt has to show besides the file. */
interface Save {
  readonly change: Change;
  readonly shows: RegExp;
}

/** A template of a framework with twenty elements whose places are known, and four saves. The fifth one takes the fourth back. */
export interface Template {
  readonly app: Pick<FrameworkApp, "create" | "wire" | "serve">;
  /** What is added to the template. */
  readonly added: readonly Change[];
  /** Elements by the files that they are in: how they begin there, and their texts. */
  readonly elements: readonly {
    readonly file: string;
    readonly start: string;
    readonly texts: readonly string[];
  }[];
  readonly saves: {
    readonly text: Save;
    readonly style: Save;
    readonly component: Save;
    readonly broken: Save;
  };
}

/** Links of all templates of create-vite. */
const LINKS = ["Explore Vite", "Learn more", "GitHub", "Discord", "X.com", "Bluesky"];
const ITEMS = Array.from({ length: 13 }, (_, i) => `Item ${i + 1}`);
/** Thirteen buttons in a component of their own, some on several lines. */
const BUTTONS = ITEMS.map((item, i) =>
  i % 3 === 1
    ? `      <button\n        title="${item} of 13"\n      >${item}</button>`
    : `      <button>${item}</button>`,
).join("\n");
const SPACER = '<section id="spacer"></section>';

const jsxShelf = `interface Unused { readonly gone: string }
type AlsoGone = Unused | string;

export function Shelf() {
  const note: AlsoGone = "thirteen";
  return (
    <p title={note}>
${BUTTONS}
    </p>
  );
}
`;
const vueShelf = `<script setup lang="ts">
const note: string = "thirteen";
</script>

<template>
    <p :title="note">
${BUTTONS}
    </p>
</template>
`;
const svelteShelf = `<script lang="ts">
  const note: string = "thirteen";
</script>

    <p title={note}>
${BUTTONS}
    </p>
`;
const litShelf = `import { html, LitElement } from "lit";
interface Unused { readonly gone: string }

export class MyShelf extends LitElement {
  note: Unused["gone"] = "thirteen";
  render() {
    return html\`<p title=\${this.note}>
${BUTTONS}
    </p>\`;
  }
}
customElements.define("my-shelf", MyShelf);
`;

interface ViteTemplate {
  readonly template: string;
  /** The file with the elements of the template, and how it begins. */
  readonly page: readonly [file: string, start: string];
  readonly shelf: readonly [file: string, text: string];
  readonly imports: string;
  readonly tag?: string;
  readonly counter?: string;
  readonly style?: Change;
  readonly broken?: readonly [before: string, after: string];
  /** The template has no configuration that the plugin could be added to. */
  readonly isUnconfigured?: boolean;
}

const VITE_CONFIG: Change = [
  "vite.config.ts",
  "",
  `import { debugBridge } from "@debug-bridge/browser/vite";
export default { plugins: [debugBridge({ url: "URL", sessionId: "app" })] };
`,
];

const styleOf = (file: string): Change => [
  file,
  "h1,\nh2 {",
  "h1,\nh2 {\n  background-color: rgb(200, 0, 0);",
];

/** A template of create-vite: its own six links and its counter, and thirteen buttons in a second component. */
function viteTemplate({ template, page: [page, start], shelf, imports, ...rest }: ViteTemplate): Template {
  const [file, text] = shelf;
  const { tag = "<Shelf />", counter = page, style = styleOf("src/index.css") } = rest;
  const { broken = ["Item 4</button>", "Item 4</button"] } = rest;
  return {
    app: { create: createVite(template), wire: rest.isUnconfigured ? VITE_CONFIG : "init", serve: vite },
    added: [
      [file, "", text],
      [page, start, `${start}\n${imports}`],
      [page, SPACER, SPACER.replace("></", `>${tag}</`)],
    ],
    elements: [
      { file: page, start: "<a", texts: LINKS },
      { file: counter, start: "<button", texts: ["Count is"] },
      { file, start: "<button", texts: ITEMS },
    ],
    saves: {
      text: { change: [page, "Documentation", "Manuals"], shows: /\+ .*Manuals/ },
      style: { change: style, shows: /background/ },
      component: {
        change: [file, "Item 1</button>", "Item 1</button>\n      <button>Item 0</button>"],
        shows: /\+ e\d+ button "Item 0"/,
      },
      broken: { change: [file, ...broken], shows: new RegExp(`build error: ${file}:\\d+: `) },
    },
  };
}

export const TEMPLATES: Readonly<Record<string, Template>> = {
  "Vite: react-ts": viteTemplate({
    template: "react-ts",
    page: ["src/App.tsx", "import './App.css'"],
    shelf: ["src/shelf.tsx", jsxShelf],
    imports: 'import { Shelf } from "./shelf.tsx"',
  }),
  "Vite: vue-ts": viteTemplate({
    template: "vue-ts",
    page: ["src/components/HelloWorld.vue", "import { ref } from 'vue'"],
    shelf: ["src/components/Shelf.vue", vueShelf],
    imports: 'import Shelf from "./Shelf.vue"',
    style: styleOf("src/style.css"),
    broken: ["Item 4</button>", "Item 4</buton>"],
  }),
  "Vite: svelte-ts": viteTemplate({
    template: "svelte-ts",
    page: ["src/App.svelte", "import Counter from './lib/Counter.svelte'"],
    shelf: ["src/lib/Shelf.svelte", svelteShelf],
    imports: 'import Shelf from "./lib/Shelf.svelte"',
    counter: "src/lib/Counter.svelte",
    style: styleOf("src/app.css"),
    broken: ["Item 4</button>", "Item 4</buton>"],
  }),
  "Vite: solid-ts": viteTemplate({
    template: "solid-ts",
    page: ["src/App.tsx", "import './App.css'"],
    shelf: ["src/shelf.tsx", jsxShelf],
    imports: 'import { Shelf } from "./shelf.tsx"',
  }),
  "Vite: preact-ts": viteTemplate({
    template: "preact-ts",
    page: ["src/app.tsx", "import './app.css'"],
    shelf: ["src/shelf.tsx", jsxShelf],
    imports: 'import { Shelf } from "./shelf.tsx"',
  }),
  "Vite: lit-ts": viteTemplate({
    template: "lit-ts",
    page: ["src/my-element.ts", "import { LitElement, css, html } from 'lit'"],
    shelf: ["src/my-shelf.ts", litShelf],
    imports: 'import "./my-shelf.ts"',
    tag: "<my-shelf></my-shelf>",
    style: ["src/index.css", ":root {", "h1 { background-color: rgb(200, 0, 0); }\n:root {"],
    broken: ["return html", "return ( html"],
    isUnconfigured: true,
  }),
};
