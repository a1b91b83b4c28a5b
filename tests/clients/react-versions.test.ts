import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packAll } from "../../scripts/lib/pack.mjs";
import { start } from "../fixtures.js";

let folder: string;
let tarballs: string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "debug-bridge-react-"));
  tarballs = (await packAll(join(folder, "tarballs"))).map(({ file }) => file);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RENDER = `import { Modal } from "@debug-bridge/ui/components/modal.js";
import { CopyButton } from "@debug-bridge/ui/components/copy-button.js";
import { KeysDialog } from "@debug-bridge/ui/components/keys.js";
import { createElement, version } from "react";
import { renderToString } from "react-dom/server";
const copy = createElement(CopyButton, { text: "a", label: "Copy it" });
console.log(version, renderToString(createElement(Modal, { title: "Title", className: "", onClose() {} }, copy)));
console.log(renderToString(createElement(KeysDialog, { keys: [], onClose() {} })));
`;

it.each(["18.0.0", "19.0.0", "19.3.0"])(
  "all packages install beside React %s, and the shared components render with it",
  async (version) => {
    const app = mkdtempSync(join(folder, "app-"));
    const react = { react: version, "react-dom": version, "lucide-react": "^1.71.0" };
    writeFileSync(
      join(app, "package.json"),
      JSON.stringify({ private: true, type: "module", dependencies: react }),
    );
    writeFileSync(join(app, "render.js"), RENDER);
    const npm = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error", ...tarballs];
    const installed = await start("npm", npm, {}, app).finished;
    expect(`${installed.stderr}${installed.stdout}`).not.toContain("ERESOLVE");
    expect(installed.code).toBe(0);
    const { stdout, stderr } = await start(process.execPath, ["render.js"], {}, app).finished;
    expect(stderr).toBe("");
    expect(stdout).toMatch(new RegExp(`^${version.replaceAll(".", "\\.")}\\S* <dialog.*Title.*Copy it`));
  },
);
