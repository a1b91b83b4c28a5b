import { svelte } from "@sveltejs/vite-plugin-svelte";
import vue from "@vitejs/plugin-vue";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { jsxApp } from "./jsx-app.js";
import { startLoop } from "./stage.js";
import { lineOf, NAMES, page } from "./twenty.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

const REACT = jsxApp(`import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
createRoot(document.getElementById("root")!).render(<App />);
`);

test("the source of twenty elements of a React app is exact, and leads back to them", async () => {
  const { mcp } = await startLoop(browser, REACT);
  const { text } = await mcp.call("observe", { session: "app", source: true, maxTokens: 4_000 });
  for (const name of NAMES) {
    const app = lineOf(REACT["src/app.tsx"], `<button title="${name}"`);
    expect(text).toMatch(new RegExp(`button "${name}".* \\(src/app\\.tsx:${app} App\\)`));
    const other = lineOf(REACT["src/parts/more.tsx"], `{"${name}"}`);
    expect(text).toMatch(new RegExp(`button "More ${name}".* \\(src/parts/more\\.tsx:${other} More\\)`));
  }
  const line = lineOf(REACT["src/parts/more.tsx"], '{"Item 3"}');
  const found = await mcp.call("find", { session: "app", source: `more.tsx:${line}` });
  expect(found.text).toContain('button "More Item 3"');
  expect(found.text).not.toContain("Item 4");
  expect((await mcp.call("find", { session: "app", source: "More" })).text).toContain("More Item 10");
  const shown = await mcp.call("find", { session: "app", text: "More Item 7", source: true });
  expect(shown.text).toContain("src/parts/more.tsx:");
  // Reading the sources is no request of the app.
  const requests = (await mcp.call("logs", { session: "app", types: ["network"] })).text;
  expect(requests).not.toContain("more.tsx");
  expect(requests).not.toContain("data:");
});

test("the sources of Svelte and Vue are exact, and no attribute is added", async () => {
  const files = {
    "index.html": page("main.js"),
    "src/main.js": `import { mount } from "svelte";
import { createApp } from "vue";
import One from "./One.svelte";
import Two from "./Two.vue";
mount(One, { target: document.getElementById("root") });
const second = document.createElement("div");
document.body.append(second);
createApp(Two).mount(second);
`,
    "src/One.svelte": `<script>\n  let count = $state(0);\n</script>\n\n<p>Text</p>\n<button onclick={() => count++}>Svelte</button>\n`,
    "src/Two.vue": `<script setup>\nconst name = "Vue";\n</script>\n<template>\n  <button>{{ name }}</button>\n</template>\n`,
  };
  const { mcp, page: app } = await startLoop(browser, files, {
    plugins: [svelte({ configFile: false }), vue()],
  });
  const { text } = await mcp.call("observe", { session: "app", source: true });
  expect(text).toMatch(/button "Svelte" \(.*src\/One\.svelte:6 One\)/);
  expect(text).toMatch(/button "Vue" \(src\/Two\.vue:5 Two\)/);
  expect(await app.locator("button", { hasText: "Vue" }).evaluate((button) => button.outerHTML)).toBe(
    "<button>Vue</button>",
  );
});
