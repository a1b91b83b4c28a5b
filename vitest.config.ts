import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Loading the packages anew for every file would take a tenth of the time. */
const isolate = false;

export default defineConfig({
  test: {
    // Two at least: most tests wait for browsers and processes. More than the cores would only make each of them slower.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
          isolate,
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
            "tests/*.test.ts",
          ],
          exclude: ["tests/attacks/**/*.browser.test.ts"],
          isolate,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["tests/e2e/**/*.test.ts", "tests/attacks/**/*.browser.test.ts", "examples/**/*.test.ts"],
          isolate,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        // Recorded failures of many actions, replayed and shrunk: minutes.
        test: {
          name: "reproduce",
          include: ["tests/reproduce/**/*.test.ts"],
          maxWorkers: 1,
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
      {
        // The in-app bridge once more: apps on one hub, agents and the HTTP API on another that shares a bus with it.
        test: {
          name: "two-hubs",
          include: ["tests/integration/hub/{between-pages,late-and-slow,routing,timeline}.test.ts"],
          env: { HUBS: "2" },
          // The variable must not reach files of other projects.
          isolate: true,
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
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
