/**
 * `npm start`: sets up what is missing or stale, then runs the product with a demo app whose code can be edited. Flags pass
 * through.
 */
import { spawn } from "node:child_process";
import { loopCommands, prepareDemo, serveDemo } from "./lib/demo.mjs";
import { log } from "./lib/log.mjs";
import { root } from "./lib/run.mjs";
import { setUp } from "./lib/setup.mjs";

const flags = process.argv.slice(2);

await setUp();
const demo = await prepareDemo(flagValue("--home"));
process.env.DEBUG_BRIDGE_HOME = demo.home;

const child = spawn(
  process.execPath,
  [`${root}packages/cli/dist/main.js`, "up", "--demo", demo.url, ...flags],
  { stdio: ["inherit", "inherit", "inherit", "ipc"] },
);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

const serving = serveDemo(demo).then(
  () => true,
  (error) => log(`the demo could not be served: ${error.message}`),
);
child.once("message", async ({ hub }) => {
  // The demo belongs to this hub, whatever else runs.
  process.env.DEBUG_BRIDGE_HUB = hub;
  if ((await serving) && !flags.includes("--json")) process.stdout.write(walk());
});

function walk() {
  const lines = loopCommands(demo).map(([does, command]) => `  ${command.padEnd(46)}  # ${does}\n`);
  if (flagValue("--home") !== undefined) lines.unshift(`  export DEBUG_BRIDGE_HOME=${demo.home}\n`);
  return `
Open ${demo.url} in a browser. Its code is in ${demo.folder}.
Then walk the loop, in a second terminal in this folder (docs/loop.md explains each step):

${lines.join("")}`;
}

/** @param {string} name */
function flagValue(name) {
  const at = flags.findIndex((flag) => flag === name || flag.startsWith(`${name}=`));
  return flags[at]?.slice(name.length + 1) || (at === -1 ? undefined : flags[at + 1]);
}
