/** `npm start`: sets up what is missing or stale, then runs the product with its demo. Flags pass through. */
import { spawn } from "node:child_process";
import { root } from "./lib/run.mjs";
import { setUp } from "./lib/setup.mjs";

await setUp();

const child = spawn(
  process.execPath,
  [`${root}packages/cli/dist/main.js`, "up", "--demo", ...process.argv.slice(2)],
  {
    stdio: "inherit",
  },
);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
