import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Most tests wait for browsers and processes.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
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
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["tests/e2e/**/*.test.ts", "tests/attacks/**/*.browser.test.ts", "examples/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
