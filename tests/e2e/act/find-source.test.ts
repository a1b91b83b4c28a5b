import { svelte } from "@sveltejs/vite-plugin-svelte";
import vue from "@vitejs/plugin-vue";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleScript, root } from "../page/browser.js";
import { ActStage, WAYS } from "./stage.js";

const stage = new ActStage();
beforeAll(() => stage.start());
afterAll(() => stage.stop());

/** What the development builds of frameworks attach to the elements that they make. */
const PAGE = `<button id="react">React</button><button id="react18">React 18</button><button id="vue">Vue</button><button id="svelte">Svelte</button>
  <button data-source="src/Plain.html:7">Plain</button><div id="host"></div><button>Nothing</button><script>
    react.__reactFiber$x1 = { _debugOwner: { name: "Cart" }, _debugStack: { stack: "Error\\n at Cart (http://localhost/src/Cart.tsx:12:5)" } };
    react18.__reactFiber$x2 = { _debugOwner: { type: function Old() {} }, _debugSource: { fileName: "/app/src/Old.jsx", lineNumber: 4 } };
    vue.__vueParentComponent = { type: { __file: "/app/src/Basket.vue" } };
    svelte.__svelte_meta = { loc: { file: "src/Total.svelte", line: 3 } };
    const inner = document.createElement("button");
    inner.textContent = "Inside";
    inner.__svelte_meta = { loc: { file: "src/Inner.svelte", line: 9 } };
    host.attachShadow({ mode: "open" }).append(inner);
  </script>`;

async function names(page: Awaited<ReturnType<ActStage["open"]>>, source: string): Promise<unknown[]> {
  const { value } = await page.run({ type: "find", source });
  return (value as { matches: { name: string }[] }).matches.map(({ name }) => name);
}

describe.each(WAYS)("over %s", (way) => {
  test(`elements are found by the source that their framework or build tool reports (${way})`, async () => {
    const page = await stage.open(way, PAGE);
    expect(await names(page, "Cart")).toEqual(["React"]);
    // A place that cannot be verified is left out.
    expect(await names(page, "Cart.tsx:12")).toEqual([]);
    expect(await names(page, "Old.jsx:4 Old")).toEqual(["React 18"]);
    expect(await names(page, "Basket.vue")).toEqual(["Vue"]);
    expect(await names(page, "Total.svelte:3")).toEqual(["Svelte"]);
    expect(await names(page, "Plain.html")).toEqual(["Plain"]);
    expect(await names(page, "Inner.svelte")).toEqual(["Inside"]);
    expect(await names(page, "Other.tsx")).toEqual([]);
  });

  test.each([
    ["react", "Cart"],
    ["vue", "Basket.vue"],
    ["svelte", "Total.svelte:3"],
  ])(`what %s made is found by its source in a development build: %s (${way})`, async (framework, source) => {
    const script = await bundleScript(`${root}tests/e2e/act/fixtures/sources/${framework}.ts`, "fixture", {
      mode: "development",
      plugins: [vue({ isProduction: false }), svelte({ configFile: false, compilerOptions: { dev: true } })],
      resolve: { conditions: ["browser", "development"] },
      define: {
        "process.env.NODE_ENV": `"development"`,
        __VUE_OPTIONS_API__: "true",
        __VUE_PROD_DEVTOOLS__: "false",
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
      },
    });
    const page = await stage.open(
      way,
      `<main></main><script>${script.replaceAll("</script", "<\\/script")}</script>`,
      "window.ready",
    );
    expect(await names(page, source)).toEqual(["Pay"]);
  });
});
