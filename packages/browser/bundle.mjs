import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/**
 * Builds the SDK for `<script src="http://HUB/sdk.js">`: `dist/sdk.js` is there from the first line of a page and
 * listens; `dist/sdk-dom.js`, which looks and acts, is loaded from beside it once there is a connection to make.
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

/** The second script uses what the first one saved of the platform, and needs no means to save it itself. */
const withPlatformOfFirst = {
  name: "with-platform-of-first",
  load: (id) =>
    id.endsWith("/inert/platform.js")
      ? 'export { PLATFORM_HANDOVER, handedOver as platform } from "./platform-handover.js";'
      : undefined,
};

/**
 * Members that only these two scripts use, so that their names can be short. What a wire carries, what an app or the
 * platform knows, and what is read by a text must not be here. Both scripts get the same short names, since
 * they share objects; the names that occur most come first and are the shortest.
 */
const INTERNAL_NAMES = `
  masker isSecretField isOurs guard censor hides isPrivate isEmbeddedInLabel isReferenced anchorOf
  activity itemOf recursion targetOf handlers nothingMarked welcomeTimer resyncTimer matchesRedact
  verdicts room holdsPrivate sentVersion anchorNumbers areInRows attempt byElement cleanStack
  concernsUs delivered deltasSince dial distinguish dress elementOf emitSnapshot emitState entryOf
  evaluateElsewhere firstMs forgetDoubtful fresh geometryChanged greeting hidesNode holdOpen idPrefix
  identity inFlight isAttached isMarked isStale joinsChunks lastChange lastFailure lastSent lastWhole
  late letsPressThrough looksSecret maxMessages maxPerSecond mayLookDifferent nextCall nextChunk
  nodeEnv ofEvent onAgents onCommand onDrop onFieldChange onLost onReady others outbox passwords
  placesChanged preparing recordMovement recordRequest resyncing retryTimer runOnce scheduleResync
  scopes sendFirst sendState sendTree sendWhole setAgents setDeltas setLive shapes subtrees takeCost
  textsOf throughFrames toCommandResult toResultText trackInput urgent viewportOf viewports viteProd
  volatile wanted
`
  .trim()
  .split(/\s+/);
/** Letters first, then two of them; without those by which points are called. */
const LETTERS = "etnrioasldcumpfhgbvkwqj";
const shortName = (index) =>
  index < LETTERS.length
    ? LETTERS[index]
    : LETTERS[Math.floor(index / LETTERS.length) - 1] + LETTERS[index % LETTERS.length].toUpperCase();
const mangleProps = {
  include: new RegExp(`^(?:${INTERNAL_NAMES.join("|")})$`),
  cache: Object.fromEntries(INTERNAL_NAMES.map((name, index) => [name, shortName(index)])),
};

for (const [entry, name, plugins] of [
  ["dist/auto.js", "sdk", []],
  ["dist/auto-dom.js", "sdk-dom", [withoutPolyfills, withPlatformOfFirst]],
]) {
  await build({
    configFile: false,
    root: here,
    logLevel: "warn",
    plugins,
    // Whether this is production is asked where the script runs, not where it was built.
    define: { "import.meta.env.PROD": "undefined", "process.env.NODE_ENV": "undefined" },
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
  // A page without a charset reads scripts as Latin-1: nothing but ASCII may be in them.
  const file = `${here}dist/${name}.js`;
  const ascii = readFileSync(file, "utf8").replace(
    /[^\x00-\x7f]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  writeFileSync(file, ascii);
}
