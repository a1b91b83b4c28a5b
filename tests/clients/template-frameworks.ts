import { APPS } from "./apps.js";
import { angularShelf, astroShelf, items, jsxShelf, svelteShelf, vueShelf } from "./template-pages.js";
import type { Change, Template } from "./templates.js";

interface Page {
  /** The app of `APPS` whose template this is. */
  readonly app: string;
  /** How the plugin gets into it, if not as in `APPS`. */
  readonly wire?: Change;
  readonly added: readonly Change[];
  readonly shelf: readonly [file: string, text: (count: number) => string];
  /** Elements that can be used which are in the page itself: its file, how they begin, their texts. */
  readonly own: readonly [file: string, start: string, texts: readonly string[]];
  readonly saves: {
    readonly text: Change;
    readonly style: Change;
    readonly broken: readonly [before: string, after: string];
  };
}

const ELEMENTS = 20;
const RED = "background-color: rgb(200, 0, 0);";

function frameworkTemplate({ app, wire, added, shelf, own: [page, start, texts], saves }: Page): Template {
  const framework = APPS[app];
  if (!framework) throw new Error(`no app ${app}`);
  const [file, write] = shelf;
  const count = ELEMENTS - texts.length;
  return {
    app: wire ? { ...framework, wire } : framework,
    added: [[file, "", write(count)], ...added],
    elements: [
      { file: page, start, texts },
      { file, start: "<button", texts: items(count) },
    ],
    saves: savesOf(file, saves),
  };
}

function savesOf(file: string, { text, style, broken }: Page["saves"]): Template["saves"] {
  return {
    text: { change: text, shows: new RegExp(`\\+ .*${text[2].replace("<h1>", "")}`) },
    style: { change: style, shows: /background|color/ },
    component: {
      change: [file, "Item 1</button>", "Item 1</button>\n      <button>Item 0</button>"],
      shows: /\+ .*button "Item 0"/,
    },
    broken: { change: [file, ...broken], shows: new RegExp(`build error: ${file}:\\d+: `) },
  };
}

const NEXT: Omit<Page, "app"> = {
  added: [
    // The template's own layout asks Google for fonts.
    [
      "app/layout.tsx",
      "",
      `import "./globals.css";
export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
    ],
    [
      "app/page.tsx",
      'import styles from "./page.module.css";',
      'import { Shelf } from "./shelf";\nimport styles from "./page.module.css";',
    ],
    ["app/page.tsx", "<div className={styles.ctas}>", "<Shelf />\n        <div className={styles.ctas}>"],
  ],
  shelf: ["app/shelf.tsx", jsxShelf],
  own: ["app/page.tsx", "<a", ["Templates", "Learning", "Documentation"]],
  saves: {
    text: ["app/page.tsx", "Looking for a starting point", "Searching for a beginning"],
    style: ["app/globals.css", "a {", `h1 {\n  ${RED}\n}\n\na {`],
    broken: ["Item 4</button>", "Item 4</button"],
  },
};

const TAG = ["Item 4</button>", "Item 4</buton>"] as const;

/** Templates of frameworks with their own tools. Those of Nuxt and Astro are made of the files that their tools write. */
export const FRAMEWORK_TEMPLATES: Readonly<Record<string, Template>> = {
  SvelteKit: frameworkTemplate({
    app: "SvelteKit",
    added: [
      [
        "src/routes/+page.svelte",
        "<h1>",
        '<script lang="ts">\n\timport Shelf from "$lib/Shelf.svelte";\n</script>\n\n<h1>',
      ],
      [
        "src/routes/+page.svelte",
        "documentation</p>",
        "documentation</p>\n<Shelf />\n\n<style>\n\th1 { color: black; }\n</style>\n",
      ],
    ],
    shelf: ["src/lib/Shelf.svelte", svelteShelf],
    own: ["src/routes/+page.svelte", "<a", ["svelte.dev/docs/kit"]],
    saves: {
      text: ["src/routes/+page.svelte", "Welcome to", "Greetings from"],
      style: ["src/routes/+page.svelte", "color: black;", RED],
      broken: TAG,
    },
  }),
  Astro: frameworkTemplate({
    app: "Astro",
    added: [
      [
        "src/pages/index.astro",
        "",
        `---
import Shelf from "../components/Shelf.astro";
---

<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Astro</title>
  </head>
  <body>
    <h1>Astro</h1>
    <a href="https://docs.astro.build">Read the docs</a>
    <Shelf />
  </body>
</html>

<style>
  h1 { color: black; }
</style>
`,
      ],
    ],
    shelf: ["src/components/Shelf.astro", astroShelf],
    own: ["src/pages/index.astro", "<a", ["Read the docs"]],
    saves: {
      text: ["src/pages/index.astro", "<h1>Astro", "<h1>Space"],
      style: ["src/pages/index.astro", "color: black;", RED],
      broken: ['string = "thirteen"', 'string = = "thirteen"'],
    },
  }),
  Nuxt: frameworkTemplate({
    app: "Nuxt",
    added: [
      [
        "app/app.vue",
        "",
        `<template>
  <div>
    <h1>Nuxt</h1>
    <a href="https://nuxt.com/docs">Read the docs</a>
    <Shelf />
  </div>
</template>

<style>
h1 { color: black; }
</style>
`,
      ],
    ],
    shelf: ["app/components/Shelf.vue", vueShelf],
    own: ["app/app.vue", "<a", ["Read the docs"]],
    saves: {
      text: ["app/app.vue", "<h1>Nuxt", "<h1>Next to it"],
      style: ["app/app.vue", "color: black;", RED],
      broken: TAG,
    },
  }),
  "Next.js with Turbopack": frameworkTemplate({ app: "Next.js with Turbopack", ...NEXT }),
  "Next.js with webpack": frameworkTemplate({ app: "Next.js with webpack", ...NEXT }),
  Angular: frameworkTemplate({
    app: "Angular",
    wire: [
      "angular.json",
      '"builder": "@angular/build:dev-server",',
      `"builder": "@debug-bridge/browser:dev-server",
          "options": { "debugBridge": { "url": "URL", "sessionId": "app" } },`,
    ],
    added: [
      ["src/app/app.ts", "imports: [RouterOutlet]", "imports: [RouterOutlet, Shelf]"],
      [
        "src/app/app.ts",
        "import { RouterOutlet }",
        'import { Shelf } from "./shelf";\nimport { RouterOutlet }',
      ],
      ["src/app/app.html", "<h1>Hello", "<app-shelf />\n      <h1>Hello"],
    ],
    shelf: ["src/app/shelf.ts", angularShelf],
    own: ["src/app/app.html", "<a", []],
    saves: {
      text: ["src/app/app.html", "Congratulations! Your app", "Wonderful! Your app"],
      style: ["src/styles.css", "/* You can", `h1 {\n  ${RED}\n}\n\n/* You can`],
      broken: ['string = "thirteen"', 'string = = "thirteen"'],
    },
  }),
};
