import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packAll } from "../../scripts/lib/pack.mjs";
import { startUp } from "../fixtures.js";
import { APPS, type ProductionBuild } from "./apps.js";
import { change, createApp, run, wire } from "./stage.js";
import { FRAMEWORK_TEMPLATES } from "./template-frameworks.js";
import { type Template, VITE_TEMPLATES } from "./templates.js";

/** Next.js would make up a key for each build. */
const ENCRYPTION_KEY = Buffer.alloc(32, "key").toString("base64");
const ENV = {
  ...{ NODE_ENV: "production", VITEST: "", CI: "1", NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: ENCRYPTION_KEY },
  ...{ NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1", NG_CLI_ANALYTICS: "false" },
};

let folder: string;
let tarballs: string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "debug-bridge-production-"));
  tarballs = (await packAll(join(folder, "tarballs"))).map(({ file }) => file);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ofVite: ProductionBuild = { command: ["vite", "build"], output: "dist" };
const ofAngular: ProductionBuild = { command: ["ng", "build"], output: "dist" };
const ofTemplate = (build: ProductionBuild, [name, { app, added }]: readonly [string, Template]) => ({
  ...{ name, app: { ...app, edits: added } },
  build,
});
const BUILT = [
  ...Object.entries(APPS).flatMap(([name, app]) => (app.build ? [{ name, app, build: app.build }] : [])),
  ...Object.entries(VITE_TEMPLATES).map((each) => ofTemplate(ofVite, each)),
  ofTemplate(ofAngular, ["Angular", FRAMEWORK_TEMPLATES.Angular as Template]),
];

it.each(BUILT)(
  "a production build of $name is the same with and without the plugin",
  async ({ name, app: framework, build }) => {
    const app = await createApp(framework, join(folder, name.replace(/\W/g, "-")), tarballs);
    for (const edit of framework.edits) change(app, edit);
    if (build.fix) change(app, build.fix);
    const without = await outputOf(build, app);
    expect(Object.keys(without).length).toBeGreaterThan(0);
    const { ready } = await startUp();
    await wire(framework, app, ready.hub);
    expect(await outputOf(build, app)).toEqual(without);
  },
  900_000,
);

/** Every file that a build writes, by its path, as the hash of its bytes. */
async function outputOf(
  { command, output, ignored }: ProductionBuild,
  app: string,
): Promise<Record<string, string>> {
  const [program = "", ...args] = command;
  const root = join(app, output);
  rmSync(root, { recursive: true, force: true });
  await run([join(app, "node_modules/.bin", program), ...args], app, ENV);
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !ignored?.test(path));
  const hash = (path: string): string =>
    createHash("sha256")
      .update(readFileSync(join(root, path)))
      .digest("hex");
  return Object.fromEntries(paths.sort().map((path) => [path, hash(path)]));
}
