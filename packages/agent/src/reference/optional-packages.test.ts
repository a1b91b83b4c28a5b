import { expect, it } from "vitest";
import { requirePackages } from "./optional-packages.js";

it("accepts packages that are installed", () => {
  expect(() => requirePackages("this test", ["vitest"])).not.toThrow();
});

it("names the packages to install", () => {
  expect(() =>
    requirePackages("anthropic/claude-sonnet-4-5", ["ai", "@ai-sdk/anthropic"], () => false),
  ).toThrow(
    "anthropic/claude-sonnet-4-5 needs packages that are not installed; run: npm install ai @ai-sdk/anthropic",
  );
});

it("names only the packages that are missing", () => {
  expect(() =>
    requirePackages("openai/gpt-5", ["ai", "@ai-sdk/not-a-package"], (name) => name === "ai"),
  ).toThrow("run: npm install @ai-sdk/not-a-package");
});
