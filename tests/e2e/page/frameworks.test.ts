import { svelte } from "@sveltejs/vite-plugin-svelte";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleScript, root } from "./browser.js";
import { EngineBrowser, type EnginePage } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

const FRAMEWORKS = ["plain", "react", "vue", "svelte", "lit"] as const;

async function openForm(framework: (typeof FRAMEWORKS)[number]): Promise<EnginePage> {
  const script = await bundleScript(`${root}tests/e2e/page/fixtures/${framework}.ts`, "fixture", {
    // Templates are compiled in the page, which Vue's default build leaves out.
    resolve: { alias: { vue: "vue/dist/vue.esm-bundler.js" } },
    plugins: framework === "svelte" ? [svelte({ configFile: false })] : [],
    define: {
      "process.env.NODE_ENV": '"development"',
      __VUE_OPTIONS_API__: "true",
      __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
    },
  });
  const page = await browser.open(`<div id="app"></div>`);
  await page.page.addScriptTag({ content: script });
  await page.page.locator("#state").waitFor();
  return page;
}

describe.each(FRAMEWORKS)("[APP-001] a form of %s", (framework) => {
  test(`[APP-062] [ARC-054] [ARC-035] accepts text, clicks and choices, and restored values are detected (${framework})`, async () => {
    const page = await openForm(framework);
    const state = async (): Promise<Record<string, unknown>> =>
      JSON.parse((await page.page.locator("#state").textContent()) ?? "");

    expect(
      await page.run({ type: "type", target: { role: "textbox", name: "Name" }, text: "Ada" }),
    ).toMatchObject({ ok: true, applied: true, value: { value: "Ada" } });
    expect(
      await page.run({ type: "type", target: { role: "textbox", name: "Name" }, text: " L." }),
    ).toMatchObject({ applied: true, value: { value: "Ada L." } });
    expect(await state()).toMatchObject({ name: "Ada L." });
    expect(
      await page.run({ type: "type", target: { role: "textbox", name: "Name" }, text: "Bob", clear: true }),
    ).toMatchObject({ value: { value: "Bob" } });
    expect(await state()).toMatchObject({ name: "Bob" });

    expect(
      await page.run({ type: "type", target: { role: "textbox", name: "Notes" }, text: "a\nb" }),
    ).toMatchObject({ applied: true });
    expect(await state()).toMatchObject({ notes: "a\nb" });

    const click = await page.run({ type: "click", target: { role: "checkbox", name: "Agree" } });
    expect(click).toMatchObject({ ok: true });
    expect(click.receipt?.changed).toContainEqual(
      expect.objectContaining({ role: "checkbox", field: "checked", before: "false", after: "true" }),
    );
    await page.run({ type: "click", target: { role: "radio", name: "blue" } });
    expect(await state()).toMatchObject({ agree: true, color: "blue" });

    expect(
      await page.run({ type: "select", target: { role: "combobox", name: "Size" }, values: ["M"] }),
    ).toMatchObject({ ok: true, applied: true });
    expect(await state()).toMatchObject({ size: "M" });
    expect(
      await page.run({ type: "select", target: { role: "combobox", name: "Fixed" }, values: ["b"] }),
    ).toMatchObject({ ok: true, applied: false });

    expect(
      await page.run({ type: "type", target: { role: "textbox", name: "Upper" }, text: "abc" }),
    ).toMatchObject({ applied: true, value: { value: "ABC" } });
    expect(await state()).toMatchObject({ upper: "ABC" });
    const stubborn = await page.run({
      type: "type",
      target: { role: "textbox", name: "Stubborn" },
      text: "no",
    });
    expect(stubborn).toMatchObject({ ok: true, applied: false, value: { value: "" } });
    expect(stubborn.message).toContain("restored the old value");

    await page.run({ type: "click", target: { text: "Add" } });
    expect(await page.run({ type: "click", target: { text: "Off" } })).toMatchObject({
      ok: false,
      code: "not_actionable",
    });
    expect(await state()).toMatchObject({ count: 1 });
  });
});
