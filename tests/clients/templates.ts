import { createVite, type FrameworkApp, vite } from "./apps.js";
import { ITEMS, jsxShelf, LINKS, vueShelf } from "./template-pages.js";

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

interface ViteTemplate {
  readonly template: string;
  /** The file with the elements of the template, and how it begins. */
  readonly page: readonly [file: string, start: string];
  readonly shelf: readonly [file: string, text: string];
  readonly imports: string;
  readonly style?: Change;
  readonly broken?: readonly [before: string, after: string];
}

const SPACER = '<section id="spacer"></section>';
const styleOf = (file: string): Change => [
  file,
  "h1,\nh2 {",
  "h1,\nh2 {\n  background-color: rgb(200, 0, 0);",
];

/** A template of create-vite: its own six links and its counter, and thirteen buttons in a second component. */
function viteTemplate({ template, page: [page, start], shelf, imports, ...rest }: ViteTemplate): Template {
  const [file, text] = shelf;
  const { style = styleOf("src/index.css") } = rest;
  const { broken = ["Item 4</button>", "Item 4</button"] } = rest;
  return {
    app: { create: createVite(template), wire: "init", serve: vite },
    added: [
      [file, "", text],
      [page, start, `${start}\n${imports}`],
      [page, SPACER, SPACER.replace("></", "><Shelf /></")],
    ],
    elements: [
      { file: page, start: "<a", texts: LINKS },
      { file: page, start: "<button", texts: ["Count is"] },
      { file, start: "<button", texts: ITEMS },
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
  "Vite: preact-ts": viteTemplate({
    template: "preact-ts",
    page: ["src/app.tsx", "import './app.css'"],
    shelf: ["src/shelf.tsx", jsxShelf],
    imports: 'import { Shelf } from "./shelf.tsx"',
  }),
};
