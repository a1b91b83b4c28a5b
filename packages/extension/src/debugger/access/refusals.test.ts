import { describe, expect, it } from "vitest";
import { explainAttach } from "./refusals.js";

describe("a tab that Chrome does not let us attach to", () => {
  it("is explained", () => {
    expect(explainAttach("Cannot access a chrome-extension:// URL of different extension", 3)).toContain(
      "another extension",
    );
    expect(explainAttach("No tab with given id 3.", 3)).toContain("target_not_found");
  });
});
