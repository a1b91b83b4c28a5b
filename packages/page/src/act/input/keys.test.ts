import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseChord } from "./keys.js";

describe("parseChord", () => {
  test("reads keys with modifiers in any spelling", () => {
    expect(parseChord("Control+Shift+a")).toEqual({
      key: "A",
      code: "KeyA",
      keyCode: 65,
      modifiers: ["Control", "Shift"],
    });
    expect(parseChord("cmd+Enter")).toMatchObject({ key: "Enter", modifiers: ["Meta"] });
    expect(parseChord("esc")).toMatchObject({ key: "Escape", keyCode: 27 });
    expect(parseChord("F11")).toMatchObject({ key: "F11", keyCode: 122 });
    expect(parseChord("Space")).toMatchObject({ key: " ", code: "Space" });
    expect(parseChord("ä")).toMatchObject({ key: "ä" });
  });

  test("a plus sign is a valid key", () => {
    expect(parseChord("+")).toMatchObject({ key: "+", modifiers: [] });
    expect(parseChord("Control++")).toMatchObject({ key: "+", modifiers: ["Control"] });
  });

  test("explains why a text is not a key", () => {
    expect(() => parseChord("Hyper+x")).toThrow('"Hyper" is not a modifier');
    expect(() => parseChord("Entre")).toThrow('"Entre" is not a key');
    expect(() => parseChord("")).toThrow("is not a key");
    expect(() => parseChord("__proto__")).toThrow("is not a key");
    expect(() => parseChord("constructor+a")).toThrow("is not a modifier");
  });

  test("reads back whatever modifiers and characters are joined", () => {
    const modifier = fc.constantFrom("Alt", "Control", "Meta", "Shift");
    fc.assert(
      fc.property(
        fc.uniqueArray(modifier),
        fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
        (modifiers, char) => {
          const chord = parseChord([...modifiers, char].join("+"));
          expect(chord.modifiers).toEqual(modifiers);
          expect(chord.key.toLowerCase()).toBe(char.toLowerCase());
        },
      ),
    );
  });

  test("fails only with an error that names the key", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          expect(parseChord(text).key).not.toBe("");
        } catch (error) {
          expect((error as { code?: string }).code).toBe("invalid_message");
        }
      }),
    );
  });
});
