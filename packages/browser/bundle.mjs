import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { bundlePage } from "./bundle-page.mjs";
import { ignoredMap } from "./ignored-map.mjs";
import { INTERNAL_NAMES } from "./internal-names.mjs";

/**
 * Builds the SDK for `<script src="http://HUB/sdk.js">`: `dist/sdk.js` is there from the first line of a page and
 * listens; `dist/sdk-dom.js`, which looks, is loaded from beside it once there is a connection to make;
 * `dist/sdk-act.js`, which acts, at the first action; `dist/sdk-find.js`, which searches, at the first search;
 * `dist/sdk-record.js`, which observes what a person does, when a recording starts; `dist/sdk-causes.js`, which keeps how code
 * came to run, when somebody asks why; `dist/sdk-replay.js`, which records what the page looks like, when somebody
 * watches it; `dist/sdk-source.js`, which knows where elements were written, when that is first asked
 * for; `dist/sdk-component.js`, which reads props and state, when those are first asked for; `dist/sdk-point.js`, which marks elements and lets a person pick one, when somebody does that.
 */
const here = fileURLToPath(new URL(".", import.meta.url));

/** What every browser of today has itself; the library that computes names brings its own. */
const NATIVE = { "/polyfills/SetLike.mjs": "Set", "/polyfills/array.from.mjs": "Array.from" };
const withoutPolyfills = {
  name: "without-polyfills",
  load(id) {
    const file = Object.keys(NATIVE).find((end) => id.endsWith(end));
    return file && `export default ${NATIVE[file]};`;
  },
};

/** Whether this is production is asked where the script runs, not where it was built. */
const withoutBuildMode = {
  name: "without-build-mode",
  load: (id) =>
    id.endsWith("/dist/build-mode.js") ? "export const buildReason = () => undefined;" : undefined,
};

/** The second script uses what the first one saved of the platform, and needs no means to save it itself. */
const withPlatformOfFirst = {
  name: "with-platform-of-first",
  load: (id) =>
    id.endsWith("/inert/platform.js")
      ? 'export { PLATFORM_HANDOVER, handedOver as platform } from "./platform-handover.js";'
      : undefined,
};

/** Names that the second script shares with those after it, by the file of their module. */
const sharedNames = new Map();
const sharing = fileURLToPath(import.meta.resolve("@debug-bridge/page/shared"));
for (const [, names, from] of readFileSync(sharing, "utf8").matchAll(/export \{([^}]*)\} from "([^"]+)"/g))
  sharedNames.set(
    fileURLToPath(from.startsWith(".") ? new URL(from, pathToFileURL(sharing)) : import.meta.resolve(from)),
    names.match(/\w+/g),
  );

/** Has the modules that the second script shares export what is there. A name that it does not share fails the build. */
const withSharedOfSecond = {
  name: "with-shared-of-second",
  load: (id) =>
    sharedNames.has(id)
      ? `import { exportsOf } from "${here}dist/loading/exports-of.js";
const { shared } = globalThis[exportsOf("sdk-dom.js")];
${sharedNames
  .get(id)
  ?.map((name) => `export const ${name} = shared.${name};`)
  .join("\n")}`
      : undefined,
};

const mangleProps = { include: new RegExp(`^(?:${INTERNAL_NAMES.join("|")})$`), cache: {} };

for (const [entry, name, plugins] of [
  ["dist/script/sdk.js", "sdk", [withoutBuildMode]],
  ["dist/script/sdk-dom.js", "sdk-dom", [withoutPolyfills, withPlatformOfFirst]],
  ["dist/script/sdk-act.js", "sdk-act", [withSharedOfSecond]],
  ["dist/script/sdk-find.js", "sdk-find", [withSharedOfSecond]],
  ["dist/script/sdk-record.js", "sdk-record", [withSharedOfSecond]],
  ["dist/script/sdk-causes.js", "sdk-causes", [withPlatformOfFirst]],
  ["dist/script/sdk-point.js", "sdk-point", [withSharedOfSecond]],
  ["dist/script/sdk-replay.js", "sdk-replay", [withSharedOfSecond]],
  ["dist/script/sdk-component.js", "sdk-component", [withPlatformOfFirst]],
  ["dist/script/sdk-source.js", "sdk-source", [withSharedOfSecond]],
]) {
  const built = await build({
    configFile: false,
    root: here,
    logLevel: "warn",
    plugins,
    build: {
      outDir: "dist",
      emptyOutDir: false,
      target: "es2022",
      minify: "oxc",
      rolldownOptions: {
        // Saving a function of the platform that nobody uses has no effect.
        treeshake: { propertyReadSideEffects: false },
        output: { minify: { compress: true, mangle: true, codegen: true, mangleProps } },
      },
      lib: { entry, formats: ["iife"], name: "DebugBridgeScript", fileName: () => `${name}.js` },
    },
  });
  mangleProps.cache = [built].flat()[0].mangleCache;
  // A page without a charset reads scripts as Latin-1: nothing but ASCII may be in them.
  const file = `${here}dist/${name}.js`;
  const ascii = readFileSync(file, "utf8").replace(
    /[^\x00-\x7f]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  // Only the first part is between the app and the platform.
  if (name !== "sdk") writeFileSync(file, ascii);
  else {
    writeFileSync(file, `${ascii.trimEnd()}\n//# sourceMappingURL=${name}.js.map\n`);
    writeFileSync(`${file}.map`, JSON.stringify(ignoredMap(`${name}.js`, ascii)));
  }
}

await bundlePage(here, [withoutPolyfills]);
