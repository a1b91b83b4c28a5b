import type { UiTreeItem } from "@debug-bridge/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchItems } from "./match.js";
import { parsePatterns } from "./patterns.js";

const item = (role: string, text: string, more: Partial<UiTreeItem> = {}): UiTreeItem => ({
  id: "i",
  selector: "x",
  role,
  text,
  visible: true,
  ...more,
});
const text = (wanted: string) => ({ kind: "text", text: wanted, source: wanted }) as const;

describe("a targets text", () => {
  it("is a list of patterns of several kinds", () => {
    expect(parsePatterns(`#login-83f | button "Sign in" | e12 | text=Log in`)).toMatchObject([
      { kind: "selector", selector: "#login-83f" },
      { kind: "role", role: "button", name: "Sign in" },
      { kind: "ref", ref: "e12" },
      { kind: "text", text: "Log in" },
    ]);
    expect(parsePatterns(`[data-testid="a,b"], input "E-mail"`)).toMatchObject([
      { kind: "selector", selector: `[data-testid="a,b"]` },
      { kind: "role", role: "textbox", name: "E-mail" },
    ]);
    expect(parsePatterns("button.primary")).toMatchObject([{ kind: "selector" }]);
    expect(parsePatterns("Sign in")).toMatchObject([{ kind: "text", text: "Sign in" }]);
  });

  it("is tried as a whole before it is split", () => {
    expect(parsePatterns("Save, then close").map(({ source }) => source)).toEqual([
      "Save, then close",
      "Save",
      "then close",
    ]);
  });

  it("of any form gives a bounded list", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), (targets) => {
        const patterns = parsePatterns(targets);
        expect(patterns.length).toBeLessThanOrEqual(50);
        for (const { source } of patterns) expect(source.trim()).not.toBe("");
      }),
    );
  });
});

describe("matching elements", () => {
  const page = [
    item("button", "Sign in"),
    item("link", "Sign up"),
    item("button", "Sign in with a passkey"),
    item("link", "Help"),
    item("button", "Unsubscribe"),
    item("button", "Join the list"),
  ];
  const matched = (wanted: string, items = page): string | undefined => {
    const exact = matchItems(text(wanted), items, "exact");
    const match = exact.kind === "none" ? matchItems(text(wanted), items, "words") : exact;
    return match.kind === "one" ? match.item.text : match.kind;
  };

  it("prefers the same text, then the same words, then whole words inside a name", () => {
    expect(matched("Sign in")).toBe("Sign in");
    expect(matched("sign-in!")).toBe("Sign in");
    expect(matched("passkey")).toBe("Sign in with a passkey");
    expect(matched("Join list")).toBe("Join the list");
    expect(matchItems(text("Sign in"), page, "exact")).toMatchObject({ why: "the same text" });
    expect(matchItems(text("Join list"), page, "exact")).toMatchObject({ why: "the same words" });
  });

  it("never matches similar letters or parts of words", () => {
    for (const wanted of ["Subscribe", "Sing up", "Hepl", "Help me", "Checkout now"]) {
      expect(matched(wanted)).toBe("none");
    }
  });

  it("reports equal matches instead of choosing one", () => {
    expect(matched("Delete", [item("button", "Delete"), item("button", "Delete")])).toBe("several");
    expect(matched("Sign")).toBe("several");
  });

  it("looks at what a person can see", () => {
    const hidden = item("button", "Go", { visible: false, hiddenBy: "hidden" });
    expect(matched("Go", [hidden])).toBe("none");
    expect(matched("Go", [hidden, item("button", "Go")])).toBe("Go");
  });

  it("finds the control and not its label, and what is covered only when nothing else fits", () => {
    const control = item("textbox", "Name", { id: "control" });
    expect(matchItems(text("Name"), [item("label", "Name"), control], "exact")).toMatchObject({
      kind: "one",
      item: { id: "control" },
    });
    const covered = item("button", "Save", { visible: false, hiddenBy: "occluded" });
    expect(matched("Save", [covered, item("button", "Save a copy")])).toBe("Save");
  });

  it("matches only elements of the given role", () => {
    const role = { kind: "role", role: "button", name: "Save", source: "" } as const;
    expect(matchItems(role, [item("link", "Save"), item("button", "Save")], "exact")).toMatchObject({
      kind: "one",
      item: { role: "button" },
    });
    expect(matchItems(role, [item("link", "Save")], "exact")).toEqual({ kind: "none" });
  });

  it("accepts any text", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (wanted, label) => {
        const items = [item("button", label)];
        for (const precision of ["exact", "words"] as const) {
          expect(["one", "none"]).toContain(matchItems(text(wanted), items, precision).kind);
        }
        if (label.trim() !== "") expect(matchItems(text(label), items, "exact").kind).toBe("one");
      }),
    );
  });
});
