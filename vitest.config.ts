import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Loading the packages again for every file would take a tenth of the time. */
const isolate = false;
/** `npm run test:long`, which also runs the files that take too long for `npm test`. */
const isLong = process.env.TEST_LONG === "1";
const longFiles = isLong ? [] : ["tests/**/*.long.test.ts"];
const LOAD = "tests/attacks/load.test.ts";
/** How long `expect.poll` waits: a busy machine takes its time. */
const expect = { poll: { timeout: 60_000 } };
/** What is built is loaded by Node itself, as by people's programs: sending it through Vite takes longer, and it runs slower. */
const server = { deps: { external: [/\/packages\/[^/]+\/dist\//] } };

export default defineConfig({
  test: {
    // `npm test` runs the tests with and without a browser beside each other, so many workers each.
    maxWorkers: Number(process.env.TEST_WORKERS) || Math.max(2, availableParallelism()),
    projects: [
      {
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
          isolate,
          server,
          expect,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "integration",
          include: [
            "tests/integration/**/*.test.ts",
            "tests/fuzz/**/*.test.ts",
            "tests/attacks/**/*.test.ts",
            "tests/faults/**/*.test.ts",
            "tests/*.test.ts",
          ],
          exclude: ["tests/{attacks,faults}/**/*.browser.test.ts", LOAD, ...longFiles],
          isolate,
          server,
          expect,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: [
            "tests/e2e/**/*.test.ts",
            "tests/{attacks,faults}/**/*.browser.test.ts",
            "examples/**/*.test.ts",
          ],
          exclude: ["**/node_modules/**", ...longFiles],
          isolate,
          server,
          expect,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        // Measures how long others wait during an attack, so nothing else runs beside it.
        test: {
          name: "load",
          include: [LOAD],
          maxWorkers: 1,
          server,
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
        },
      },
      {
        // Recorded failures of many actions, replayed and shrunk: minutes.
        test: {
          name: "reproduce",
          include: ["tests/reproduce/**/*.test.ts"],
          maxWorkers: 1,
          server,
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
      {
        // Every fault many times. `npm test` tries each of them some times, in the projects above.
        test: {
          name: "faults",
          include: ["tests/faults/**/*.test.ts"],
          maxWorkers: 1,
          server,
          testTimeout: 3_600_000,
          hookTimeout: 300_000,
        },
      },
      {
        // The in-app bridge, the relay and the chat once more: apps and the extension on one hub, agents, CDP clients and chats on
        // another that shares a bus with it: in memory, and over NATS in the long mode.
        test: {
          name: "two-hubs",
          include: [
            "tests/integration/hub/{between-pages,late-and-slow,routing,timeline}.test.ts",
            `tests/integration/relay/${isLong ? "*" : "{clients,chat-runs}"}.test.ts`,
            `tests/integration/chat/${isLong ? "{api,approvals,breakpoints,events,feed,panel,pictures}" : "approvals"}.test.ts`,
          ],
          env: { HUBS: "2" },
          // The variable must not reach files of other projects.
          isolate: true,
          server,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        // Stock software against the product: what `npm test` covers of it, and what takes too long for that.
        test: {
          name: "clients",
          include: [
            "tests/clients/**/*.test.ts",
            "tests/e2e/agent/*.test.ts",
            "tests/e2e/published-sdk/*.test.ts",
            "tests/e2e/relay/{docs,playwright,puppeteer}.test.ts",
            "tests/integration/agent/codi*.test.ts",
          ],
          isolate,
          server,
          expect,
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
