import { createVite, type FrameworkApp, vite } from "./apps.js";
import { items, jsxShelf, LINKS, litShelf, plainShelf, svelteShelf, vueShelf } from "./template-pages.js";

export type Change = readonly [file: string, before: string, after: string];

/** A save, and what its receipt has to show besides the file. */
interface Save {
  readonly change: Change;
  readonly shows: RegExp;
}

/** A template of a framework with twenty elements whose places are known, and four saves. The fifth one fixes what the fourth broke. */
export interface Template {
  readonly app: Pick<FrameworkApp, "create" | "wire" | "serve">;
  /** What is added to the template. */
  readonly added: readonly Change[];
  /** Elements by the files that they are in: how they begin there, and their texts. */
  readonly elements: readonly {
    readonly file: string;
    readonly start: string;
    readonly texts: readonly string[];
    /** What is written there instead of the text, which comes from elsewhere. */
    readonly near?: string;
  }[];
  readonly saves: {
    readonly text: Save;
    readonly style: Save;
    readonly component: Save;
    readonly broken: Save;
  };
}

interface ViteTemplate {
  readonly template: string;
  /** The file with the elements of the template, and how it begins. */
  readonly page: readonly [file: string, start: string];
  readonly shelf: readonly [file: string, text: (count: number) => string];
  readonly imports: string;
  /** How the page uses the shelf. */
  readonly use?: string;
  /** The file with the counter, if it is not the page, and what is written there. */
  readonly counter?: { readonly file?: string; readonly near?: string };
  readonly style?: Change;
  readonly broken?: readonly [before: string, after: string];
}

/** Buttons on the shelf: the page of create-vite has seven elements that can be used. */
const SHELF = 13;
const SPACER = '<section id="spacer"></section>';
const styleOf = (file: string): Change => [
  file,
  "h1,\nh2 {",
  "h1,\nh2 {\n  background-color: rgb(200, 0, 0);",
];

/** A template of create-vite: its own six links and its counter, and thirteen buttons in a second component. */
function viteTemplate({ template, page: [page, start], shelf, imports, ...rest }: ViteTemplate): Template {
  const [file, text] = shelf;
  const { style = styleOf("src/index.css"), use = "<Shelf />", counter = {} } = rest;
  const { broken = ["Item 4</button>", "Item 4</button"] } = rest;
  return {
    app: { create: createVite(template), wire: "init", serve: vite },
    added: [
      [file, "", text(SHELF)],
      [page, start, `${start}\n${imports}`],
      [page, SPACER, SPACER.replace("></", `>${use}</`)],
    ],
    elements: [
      { file: page, start: "<a", texts: LINKS },
      { file: page, start: "<button", texts: ["Count is"], ...counter },
      { file, start: "<button", texts: items(SHELF) },
    ],
    saves: savesOf(page, style, file, broken),
  };
}

function savesOf(
  page: string,
  style: Change,
  shelf: string,
  broken: readonly [before: string, after: string],
): Template["saves"] {
  return {
    text: { change: [page, "Documentation", "Manuals"], shows: /\+ .*Manuals/ },
    style: { change: style, shows: /background|color/ },
    component: {
      change: [shelf, "Item 1</button>", "Item 1</button>\n      <button>Item 0</button>"],
      shows: /\+ .*button "Item 0"/,
    },
    broken: { change: [shelf, ...broken], shows: new RegExp(`build error: ${shelf}:\\d+: `) },
  };
}

export const VITE_TEMPLATES: Readonly<Record<string, Template>> = {
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
  "Vite: preact-ts": viteTemplate({
    template: "preact-ts",
    page: ["src/app.tsx", "import './app.css'"],
    shelf: ["src/shelf.tsx", jsxShelf],
    imports: 'import { Shelf } from "./shelf.tsx"',
  }),
  "Vite: svelte-ts": viteTemplate({
    template: "svelte-ts",
    page: ["src/App.svelte", "import Counter from './lib/Counter.svelte'"],
    shelf: ["src/lib/Shelf.svelte", svelteShelf],
    imports: '  import Shelf from "./lib/Shelf.svelte"',
    counter: { file: "src/lib/Counter.svelte" },
    style: styleOf("src/app.css"),
    broken: ["Item 4</button>", "Item 4</buton>"],
  }),
  "Vite: solid-ts": viteTemplate({
    template: "solid-ts",
    page: ["src/App.tsx", "import './App.css'"],
    shelf: ["src/shelf.tsx", jsxShelf],
    imports: 'import { Shelf } from "./shelf.tsx"',
  }),
  "Vite: lit-ts": viteTemplate({
    template: "lit-ts",
    page: ["src/my-element.ts", "import { LitElement, css, html } from 'lit'"],
    shelf: ["src/my-shelf.ts", litShelf],
    imports: 'import "./my-shelf.ts"',
    use: "<my-shelf></my-shelf>",
    // The heading is in the document, and not in the element, which has its own styles.
    style: ["src/index.css", "body {", "h1 {\n  background-color: rgb(200, 0, 0);\n}\n\nbody {"],
    broken: ['string = "thirteen"', 'string = = "thirteen"'],
  }),
  "Vite: vanilla-ts": viteTemplate({
    template: "vanilla-ts",
    page: ["src/main.ts", "import './style.css'"],
    shelf: ["src/shelf.ts", plainShelf],
    imports: 'import { shelf } from "./shelf.ts"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code of the page
    use: "${shelf()}",
    counter: { near: 'id="counter"' },
    style: styleOf("src/style.css"),
    broken: ['string = "thirteen"', 'string = = "thirteen"'],
  }),
};
