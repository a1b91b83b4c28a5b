import { expect, it } from "vitest";
import { filterQuery, isFiltered, shownKinds, withKind } from "./filter.js";

const usual = { text: "" };

it("shows the usual kinds unless others are chosen, and says nothing about the usual ones in the address", () => {
  expect(shownKinds(usual)).not.toContain("dom");
  const changed = withKind(usual, "dom", true);
  expect(shownKinds(changed)).toContain("dom");
  expect(isFiltered(changed)).toBe(true);
  expect(withKind(changed, "dom", false)).toEqual(usual);
  expect(shownKinds(withKind(usual, "console", false))).not.toContain("console");
});

it("asks the hub for what is shown", () => {
  const query = filterQuery(
    { text: " a b ", level: "warn", from: 5, kinds: ["error"] },
    { isFolded: true, except: [3, 4] },
  );
  expect(Object.fromEntries(query)).toEqual({
    ...{ kinds: "error", text: "a b", level: "warn", from: "5", folded: "", except: "3,4" },
  });
});
