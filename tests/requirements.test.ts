import { describe, expect, it } from "vitest";
import { citations } from "../scripts/lib/citations.mjs";
import { notYetBuilt } from "./requirements/not-yet-built.js";
import { requirements } from "./requirements.js";

const ids = new Set(requirements.map(({ id }) => id));
const cited = citations();
const pending = new Set(notYetBuilt);

describe("the requirements", () => {
  it("have unique ids and a sentence each", () => {
    expect(ids.size).toBe(requirements.length);
    for (const { text } of requirements) expect(text.trim()).not.toBe("");
  });

  it("are each cited by a test, except those on the list of what is not yet built", () => {
    expect([...ids].filter((id) => !cited.has(id) && !pending.has(id))).toEqual([]);
  });

  it("leave that list once a test shows them, and nothing unknown is on it", () => {
    expect(notYetBuilt.filter((id) => cited.has(id))).toEqual([]);
    expect(notYetBuilt.filter((id) => !ids.has(id))).toEqual([]);
  });

  it("are the only ids that tests cite", () => {
    expect([...cited.keys()].filter((id) => !ids.has(id))).toEqual([]);
  });
});
