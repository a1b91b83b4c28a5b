import { cpSync, mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createServer as createSocket } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { root } from "./run.mjs";

const FIRST_PORT = 5173;

/**
 * The demo of `npm start`: a copy of `examples/demo` in the home, so that it can be edited. Each start begins with a new copy.
 * @param {string | undefined} given
 */
export async function prepareDemo(given) {
  const home = given || process.env.DEBUG_BRIDGE_HOME || join(homedir(), ".debug-bridge");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const folder = join(realpathSync(home), "demo");
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, "examples/demo"), folder, { recursive: true });
  // What the app imports is installed here.
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const port = await freePort(FIRST_PORT);
  return { home, folder, port, url: `http://localhost:${port}/` };
}

/** Serves it as a project with Vite and the plugin is served. */
export async function serveDemo({ folder, port }) {
  const [{ createServer }, { default: react }, { debugBridge }] = await Promise.all([
    import("vite"),
    import("@vitejs/plugin-react"),
    import("@debug-bridge/browser/vite"),
  ]);
  const server = await createServer({
    ...{ root: folder, configFile: false, logLevel: "warn", cacheDir: join(folder, ".vite") },
    plugins: [
      react(),
      coupons(),
      debugBridge({ sessionId: "demo", appName: "Corner shop", development: true }),
    ],
    server: { port, strictPort: true, fs: { allow: [folder, root] } },
  });
  await server.listen();
}

/** The shop's server: it knows one coupon. */
function coupons() {
  return {
    name: "coupons",
    configureServer({ middlewares }) {
      middlewares.use("/api/coupons/", (request, response) => {
        const isKnown = request.url === "/SPRING";
        response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" });
        response.end(
          JSON.stringify(isKnown ? { discount: { percent: 10 } } : { error: "There is no such coupon" }),
        );
      });
    },
  };
}

/**
 * What to do with it, in this order: each line is a command for a shell in the root of the workspace.
 * @returns {readonly (readonly [does: string, command: string])[]}
 */
export function loopCommands({ home, folder }) {
  const bridge = (words) => `npx debug-bridge ${words}`;
  const out = quoted(join(home, "demo-reproduction"));
  return [
    ["record what happens", bridge("record start demo --reload")],
    ["look, with the code of each element", bridge("observe demo source=true")],
    ["do what fails", bridge("act demo click Apply")],
    ["ask why", bridge("why demo")],
    ["find what that file shows", bridge("find demo source=coupon.tsx")],
    ["end the recording", bridge("record stop demo")],
    ["find the fewest actions, write a test", bridge(`record reproduce demo --out-dir ${out}`)],
    // In one line: an edit is waited for right after it.
    [
      "fix it, and see what the edit did",
      `cp examples/demo/fixed/coupon.tsx ${quoted(join(folder, "src"))} && ${bridge("act demo wait_for edit=coupon.tsx")}`,
    ],
    ["check that it is fixed", bridge(`record verify ${out}`)],
  ];
}

const quoted = (path) => (/^[\w./:\\-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

/** The first port from this one on that nobody listens on. */
async function freePort(from) {
  for (let port = from; ; port++) {
    const isFree = await new Promise((resolve) => {
      const socket = createSocket();
      socket.once("error", () => resolve(false));
      socket.listen(port, "localhost", () => socket.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
