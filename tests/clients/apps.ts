export interface ProductionBuild {
  readonly command: readonly string[];
  /** The folder with what it writes. */
  readonly output: string;
  /** A change without which two builds of the same app would have different names or keys. */
  readonly fix?: readonly [file: string, before: string, after: string];
  /** Files that are different each time: caches, times and random keys. */
  readonly ignored?: RegExp;
}

/** An app as a framework's own tools create it, and how the SDK gets into it. */
export interface FrameworkApp {
  /** The command that creates it in a folder, or its files. */
  readonly create: readonly string[] | Readonly<Record<string, string>>;
  /** `init`, or one line: a file, a text in it, and the text that takes its place. `HUB` and `URL` are those of the hub. */
  readonly wire: "init" | readonly [file: string, before: string, after: string];
  /** Files that are changed or added, so that the second click on the counter throws. */
  readonly edits: readonly (readonly [file: string, before: string, after: string])[];
  /** The file that contains the `throw`. */
  readonly source: string;
  /** Whether a plugin of ours is in the development server, which reports edits. */
  readonly hasPlugin?: boolean;
  /** Whether an edit of the file loads the page again. */
  readonly reloads?: boolean;
  /** Builds it for production. */
  readonly build?: ProductionBuild;
  /** Starts the development server on a port. */
  readonly serve: (port: string) => readonly string[];
}

const THROW = 'if (count === 1) throw new Error("counted too far");';
export const vite = (port: string): string[] => ["vite", "dev", "--host", "127.0.0.1", "--port", port];
export const createVite = (template: string): string[] => [
  ...["npm", "create", "-y", "vite@latest", "app", "--", "--template", template, "--no-interactive"],
];

const SVELTE_PAGE = `<script lang="ts">
  let count: number = $state(0);
  const increment = (): void => {
    ${THROW}
    count += 1;
  };
</script>

<button onclick={increment}>Count is {count}</button>
`;

const VUE_PAGE = `<script setup lang="ts">
import { ref } from "vue";
const number = ref<number>(0);
function increment(): void {
  const count = number.value;
  ${THROW}
  number.value++;
}
</script>

<template><button @click="increment">Count is {{ number }}</button></template>
`;

const REACT_PAGE = `"use client";
import { useState } from "react";

export default function Page() {
  const [count, setCount] = useState<number>(0);
  const increment = (): void => {
    ${THROW}
    setCount(count + 1);
  };
  return <button onClick={increment}>Count is {count}</button>;
}
`;

const ANGULAR_PAGE = `import { Component, signal } from "@angular/core";

@Component({ selector: "app-root", template: '<button (click)="increment()">Count is {{ number() }}</button>' })
export class App {
  protected readonly number = signal<number>(0);

  protected increment(): void {
    const count = this.number();
    ${THROW}
    this.number.set(count + 1);
  }
}
`;

const SCRIPT = `const button = document.querySelector("button") as HTMLButtonElement;
let count: number = 0;
button.onclick = (): void => {
  ${THROW}
  count += 1;
  button.textContent = \`Count is \${count}\`;
};
`;

const plugin = (entry: string): string => `import { debugBridge } from "@debug-bridge/browser/${entry}";`;
const createSvelteKit = [
  ...["npx", "-y", "sv", "create", "app", "--template", "minimal", "--types", "ts"],
  ...["--no-add-ons", "--no-install"],
];
const createNext = [
  ...["npx", "-y", "create-next-app@latest", "app", "--ts", "--app", "--no-eslint", "--no-tailwind"],
  ...["--no-src-dir", "--import-alias", "@/*", "--skip-install", "--disable-git", "--yes"],
];

const WIRE_NEXT = [
  "next.config.ts",
  "export default nextConfig",
  `import { withDebugBridge } from "@debug-bridge/browser/next";
export default withDebugBridge(nextConfig, { url: "URL", sessionId: "app" })`,
] as const;
/** The layout of the template asks Google for fonts. */
const WITHOUT_FONTS = [
  "app/layout.tsx",
  "",
  `import "./globals.css";
export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
] as const;

const buildNext = (bundler: string): ProductionBuild => ({
  command: ["next", "build", bundler],
  output: ".next",
  fix: ["next.config.ts", "NextConfig = {", 'NextConfig = {\n  generateBuildId: () => "same",'],
  ignored:
    /^(?:cache|diagnostics|types)\/|^trace|^prerender-manifest\.json$|^server\/(?:preview-props|server-reference-manifest)\./,
});

const WEBPACK = {
  "package.json": `{"private": true, "dependencies": {"webpack": "^5", "webpack-cli": "^6", "webpack-dev-server": "^5",
    "ts-loader": "^9", "typescript": "^5", "html-webpack-plugin": "^5"}}`,
  "tsconfig.json": '{"compilerOptions": {"sourceMap": true, "target": "es2022", "lib": ["es2022", "dom"]}}',
  "webpack.config.cjs": `const Html = require("html-webpack-plugin");
module.exports = { mode: "development", devtool: "source-map", entry: "./src/counter.ts",
  module: { rules: [{ test: /ts$/, use: "ts-loader" }] }, plugins: [new Html({ template: "index.html" })] };`,
  "src/counter.ts": SCRIPT,
  "index.html":
    "<!doctype html>\n<html>\n  <head>\n  </head>\n  <body><button>Count is 0</button></body>\n</html>\n",
};
const webpack = (port: string): string[] => ["webpack", "serve", "--host", "127.0.0.1", "--port", port];

export const APPS: Readonly<Record<string, FrameworkApp>> = {
  "create-vite react": {
    create: createVite("react-ts"),
    wire: "init",
    edits: [
      [
        "src/App.tsx",
        "onClick={() => setCount((count) => count + 1)}",
        `onClick={() => {
            ${THROW}
            setCount((count) => count + 1);
          }}`,
      ],
    ],
    source: "src/App.tsx",
    hasPlugin: true,
    serve: vite,
  },
  "create-vite vue": {
    create: createVite("vue-ts"),
    wire: "init",
    edits: [["src/App.vue", "", VUE_PAGE]],
    source: "src/App.vue",
    hasPlugin: true,
    serve: vite,
  },
  "create-vite svelte": {
    create: createVite("svelte-ts"),
    wire: "init",
    edits: [["src/lib/Counter.svelte", "    count += 1", `    ${THROW}\n    count += 1`]],
    source: "src/lib/Counter.svelte",
    hasPlugin: true,
    serve: vite,
  },
  SvelteKit: {
    create: createSvelteKit,
    wire: "init",
    edits: [["src/routes/+page.svelte", "", SVELTE_PAGE]],
    source: "src/routes/+page.svelte",
    hasPlugin: true,
    build: {
      ...{ command: ["vite", "build"], output: ".svelte-kit/output" },
      // Otherwise the version of the app is the time.
      fix: ["vite.config.ts", "adapter: adapter()", 'adapter: adapter(), version: { name: "same" }'],
    },
    serve: vite,
  },
  "Next.js with Turbopack": {
    create: createNext,
    wire: WIRE_NEXT,
    edits: [WITHOUT_FONTS, ["app/page.tsx", "", REACT_PAGE]],
    source: "app/page.tsx",
    hasPlugin: true,
    build: buildNext("--turbopack"),
    serve: (port) => ["next", "dev", "--turbopack", "--hostname", "127.0.0.1", "--port", port],
  },
  "Next.js with webpack": {
    create: createNext,
    wire: WIRE_NEXT,
    edits: [WITHOUT_FONTS, ["app/page.tsx", "", REACT_PAGE]],
    source: "app/page.tsx",
    hasPlugin: true,
    build: buildNext("--webpack"),
    serve: (port) => ["next", "dev", "--webpack", "--hostname", "127.0.0.1", "--port", port],
  },
  Angular: {
    create: [
      ...["npx", "-y", "@angular/cli@21.2.26", "new", "app", "--defaults", "--skip-git", "--skip-install"],
      ...["--skip-tests", "--interactive=false"],
    ],
    wire: ["src/index.html", "<head>", '<head><script src="HUB/sdk.js" data-session="app"></script>'],
    edits: [["src/app/app.ts", "", ANGULAR_PAGE]],
    source: "src/app/app.ts",
    serve: (port) => ["ng", "serve", "--host", "127.0.0.1", "--port", port],
  },
  Nuxt: {
    create: {
      "package.json": '{"private": true, "type": "module", "dependencies": {"nuxt": "^4", "vue": "^3"}}',
      "nuxt.config.ts": `${plugin("nuxt")}\nexport default defineNuxtConfig({ telemetry: false, modules: [] });\n`,
      "app.vue": VUE_PAGE,
    },
    wire: ["nuxt.config.ts", "modules: []", 'modules: [[debugBridge, { url: "URL", sessionId: "app" }]]'],
    edits: [],
    source: "app.vue",
    hasPlugin: true,
    build: {
      ...{ command: ["nuxt", "build"], output: ".output" },
      // Without a separate folder, a second build works in another one than the first.
      fix: ["nuxt.config.ts", "telemetry: false", 'telemetry: false, buildId: "same", buildDir: ".nuxt"'],
      // Times, and styles in any order.
      ignored: /^nitro\.json$|^public\/_nuxt\/builds\/|^server\/chunks\/(?:build\/styles|nitro\/nitro)\.mjs$/,
    },
    serve: (port) => ["nuxt", "dev", "--host", "127.0.0.1", "--port", port],
  },
  Astro: {
    create: {
      "package.json": '{"private": true, "type": "module", "dependencies": {"astro": "^5"}}',
      "astro.config.mjs": `${plugin("astro")}\nexport default { integrations: [] };\n`,
      "src/counter.ts": SCRIPT,
      "src/pages/index.astro":
        '<html><body><button>Count is 0</button><script src="../counter.ts"></script></body></html>',
    },
    wire: [
      "astro.config.mjs",
      "integrations: []",
      'integrations: [debugBridge({ url: "URL", sessionId: "app" })]',
    ],
    edits: [],
    source: "src/counter.ts",
    hasPlugin: true,
    reloads: true,
    build: { command: ["astro", "build"], output: "dist" },
    serve: (port) => ["astro", "dev", "--host", "127.0.0.1", "--port", port],
  },
  webpack: {
    create: WEBPACK,
    wire: "init",
    edits: [],
    source: "src/counter.ts",
    serve: webpack,
  },
  "webpack with the plugin": {
    create: WEBPACK,
    wire: [
      "webpack.config.cjs",
      "plugins: [",
      'plugins: [require("@debug-bridge/browser/webpack").debugBridge({ url: "URL", sessionId: "app" }), ',
    ],
    edits: [],
    source: "src/counter.ts",
    hasPlugin: true,
    reloads: true,
    serve: webpack,
  },
};
