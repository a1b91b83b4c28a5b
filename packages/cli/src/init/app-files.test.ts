import { describe, expect, it } from "vitest";
import { withoutScriptTag, withScriptTag } from "./script-tag.js";
import { NEW_CONFIG, withoutVitePlugin, withVitePlugin } from "./vite-config.js";

const IMPORT = 'import { debugBridge } from "@debug-bridge/browser/vite";\n';

describe("a Vite configuration", () => {
  it.each([
    ["plugins: [react()]", "plugins: [debugBridge(), react()]"],
    ["plugins: [\n    react(),\n  ]", "plugins: [\n    debugBridge(),\n    react(),\n  ]"],
    ["plugins: [ // all\n react()]", "plugins: [debugBridge(),  // all\n react()]"],
  ])("gets the plugin first: %s", (before, after) => {
    const config = (plugins: string): string =>
      `import react from "r";\n// plugins: [x]\nexport default defineConfig({\n  ${plugins},\n});\n`;
    expect(withVitePlugin(config(before))).toBe(IMPORT + config(after));
    expect(withoutVitePlugin(IMPORT + config(after))?.replace(/\s/g, "")).toBe(
      config(before).replace(/\s/g, ""),
    );
  });

  it("without plugins gets a list of them", () => {
    expect(withVitePlugin("export default { plugins: [] }")).toBe(
      `${IMPORT}export default { plugins: [debugBridge()] }`,
    );
    const before = "export default {\n  server: {},\n};\n";
    const after = `${IMPORT}export default {\n  plugins: [debugBridge()],\n  server: {},\n};\n`;
    expect(withVitePlugin(before)).toBe(after);
    expect(withoutVitePlugin(after)).toBe(before);
  });

  it.each([
    "module.exports = { plugins: [] };",
    'import a from "a";\nexport default { plugins: [], test: { plugins: [] } };',
    'import config from "./base";\nexport default config;',
  ])("in a form that is not known is left alone: %s", (text) => {
    expect(withVitePlugin(text)).toBeUndefined();
  });

  it("that has nothing but the plugin is removed with it", () => {
    expect(withoutVitePlugin(NEW_CONFIG)).toBe("");
    expect(withoutVitePlugin(`${NEW_CONFIG}// mine\n`)).toContain("// mine");
  });

  it("with a plugin that somebody changed is left alone", () => {
    expect(
      withoutVitePlugin(`${IMPORT}export default { plugins: [debugBridge({ sessionId: "x" })] };`),
    ).toBeUndefined();
  });
});

describe("a page", () => {
  const HTML =
    '<!doctype html>\n<!-- <head> -->\n<html>\n  <head data-x="1">\n    <title>a</title>\n  </head>\n</html>\n';

  it("gets the script as the first thing in its head, and loses it again", () => {
    const after = withScriptTag(HTML, "http://127.0.0.1:4000", "shop") ?? "";
    expect(after).toContain(
      '<head data-x="1">\n    <script src="http://127.0.0.1:4000/sdk.js" data-session="shop"></script>\n    <title>',
    );
    expect(withoutScriptTag(after)).toBe(HTML);
  });

  it("without a head is left alone", () => {
    expect(withScriptTag("<p>hello</p>", "http://127.0.0.1:4000", "shop")).toBeUndefined();
  });
});
