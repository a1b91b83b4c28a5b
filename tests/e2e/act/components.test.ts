import { svelte } from "@sveltejs/vite-plugin-svelte";
import vue from "@vitejs/plugin-vue";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleScript, root } from "../page/browser.js";
import { REACT_VERSIONS, reactScript } from "./react-script.js";
import { type ActPage, ActStage, WAYS, type Way } from "./stage.js";

const stage = new ActStage();
beforeAll(() => stage.start());
afterAll(() => stage.stop());

const scripts = new Map<string, Promise<string>>();

/** An app in development, by its file below the fixtures. */
function scriptOf(file: string): Promise<string> {
  const known = scripts.get(file);
  const version = REACT_VERSIONS.find((each) => file === `react ${each}`);
  const script =
    known ??
    (version !== undefined
      ? reactScript(version)
      : bundleScript(`${root}tests/e2e/act/fixtures/${file}.ts`, "fixture", {
          mode: "development",
          plugins: [
            vue({ isProduction: false }),
            svelte({ configFile: false, compilerOptions: { dev: true } }),
          ],
          resolve: { conditions: ["browser", "development"] },
          define: {
            "process.env.NODE_ENV": `"development"`,
            __VUE_OPTIONS_API__: "true",
            __VUE_PROD_DEVTOOLS__: "false",
            __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
          },
        }));
  scripts.set(file, script);
  return script;
}

async function open(way: Way, file: string): Promise<ActPage> {
  const script = (await scriptOf(file)).replaceAll("</script", "<\\/script");
  return stage.open(
    way,
    `<main></main><app-root></app-root><script type="module">${script}</script>`,
    "window.ready",
  );
}

/** What is known of the component of a button, without the line of the button itself. */
async function componentOf(page: ActPage, name: string): Promise<string> {
  const target = { role: "button", name };
  const { result = "" } = await page.run({
    ...{ type: "request_ui_tree", format: "text", source: "component", target },
  });
  expect(result.split("\n")[0]).toContain(`button "${name}"`);
  return result.split("\n").slice(1).join("\n");
}

const pay = (page: ActPage): Promise<unknown> =>
  page.run({ type: "click", target: { role: "button", name: "Pay" } });

describe.each(WAYS)("over %s", (way) => {
  test.each(REACT_VERSIONS)(
    `props and state of components of React %s are those that are shown, masked (${way})`,
    async (version) => {
      const page = await open(way, `react ${version}`);
      expect(await page.evaluate("reactVersion")).toMatch(new RegExp(`^${version}\\.`));
      // React alternates between two versions of each component.
      for (const count of [2, 3, 4]) {
        await pay(page);
        expect(await componentOf(page, "Pay")).toContain(`state.1 = ${count}\n`);
      }
      const target = { selector: "input" };
      await page.run({ type: "type", target, text: "hunter22" });
      expect(await componentOf(page, "Pay")).toBe(`Cart
  props.plan = "pro"
  props.apiKey = •••
  props.children = "<Total>"
  state.1 = 4
  state.2 = "•••"
  state.3 = ["bread"]
  refs.1 = {"isOpen":false}
  context.Theme = {"isDark":true}
in Page
  props: none`);
      expect(await componentOf(page, "Total")).toBe(`Total
  props.of = 2
  state.cents = 250
in Page
  props: none`);
    },
  );

  test(`props and state of components of Vue, without running what is computed (${way})`, async () => {
    const page = await open(way, "components/vue");
    await pay(page);
    expect(await componentOf(page, "Pay")).toBe(`Cart
  props.plan = "pro"
  props.apiKey = •••
  state.count = 2
  state.order = {"items":["bread"],"isOpen":true}
  state.double = "(computed: not read)"
in Page
  props: none
  state.cents = 250`);
  });

  test(`props and state of components of Preact (${way})`, async () => {
    const page = await open(way, "components/preact");
    await pay(page);
    expect(await componentOf(page, "Pay")).toBe(`Cart
  props.plan = "pro"
  props.apiKey = •••
  state.1 = 2
  refs.1 = {"isOpen":false}`);
    expect(await componentOf(page, "Total")).toContain(
      "Total\n  props.of = 2\n  state.cents = 250\nin Cart\n",
    );
  });

  test(`props and state of components of Lit (${way})`, async () => {
    const page = await open(way, "components/lit");
    await pay(page);
    expect(await componentOf(page, "Pay")).toBe(`ShopCart
  props.plan = "pro"
  props.apiKey = •••
  state.count = 2`);
  });

  test(`props and state of components of Angular, with what is in signals (${way})`, async () => {
    const page = await open(way, "components/angular");
    await pay(page);
    expect(await componentOf(page, "Pay")).toBe(`Cart
  props.plan = "pro"
  state.apiKey = •••
  state.count = 2
  state.double = "(computed: not read)"
in Page
  props: none
  state.cents = 250`);
  });

  test(`what a framework does not report is shown as unknown, and what is private is not shown (${way})`, async () => {
    const page = await open(way, "sources/svelte");
    expect(await componentOf(page, "Pay")).toMatch(/^Total\n {2}props and state are not known: /);
    const plain = await stage.open(
      way,
      "<button>Pay</button><p data-bridge-mask><button>Hidden</button></p>",
    );
    expect(await componentOf(plain, "Pay")).toMatch(/^component unknown: /);
    const { result } = await plain.run({
      ...{ type: "request_ui_tree", format: "text", source: "component", target: { selector: "p button" } },
    });
    expect(result).toContain("marked this element private");
    const whole = plain.run({ type: "request_ui_tree", format: "text", source: "component" });
    await expect(whole).rejects.toThrow("give its target");
  });

  test(`components that are not what they seem do no harm (${way})`, async () => {
    const page = await stage.open(
      way,
      `<button>Pay</button><script>
        const endless = { tag: 0, type: function Endless() {} };
        endless.return = endless;
        const props = { get price() { document.title = "read"; return 1; }, list: Array(1e6).fill("x".repeat(100)) };
        const root = { tag: 3, stateNode: {} };
        const own = { tag: 0, type: function Shop() {}, memoizedProps: props, return: root, _debugOwner: endless };
        root.stateNode.current = { child: own };
        document.querySelector("button").__reactFiber$x = { tag: 5, _debugOwner: own };
      </script>`,
    );
    const text = await componentOf(page, "Pay");
    expect(text).toContain('Shop\n  props.price = "(getter)"\n  props.list = ["xxx');
    expect(text.length).toBeLessThan(2_000);
    expect(await page.evaluate("document.title")).toBe("");
  });
});
