import type { UiTreeItem } from "@debug-bridge/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePatterns } from "./patterns.js";
import { choose, rank } from "./score.js";

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

  it("is tried as a whole before it is taken apart", () => {
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

describe("choosing among elements", () => {
  const page = [
    item("button", "Sign in"),
    item("link", "Sign up"),
    item("button", "Sign in with a passkey"),
    item("link", "Help"),
  ];
  const best = (wanted: string, items = page): string | undefined => {
    const choice = choose(rank(text(wanted), items));
    return choice.kind === "one" ? choice.best.item.text : choice.kind;
  };

  it("takes the one that fits best, and says why", () => {
    expect(best("Sign in")).toBe("Sign in");
    expect(best("sign-in!")).toBe("Sign in");
    expect(best("passkey")).toBe("Sign in with a passkey");
    expect(best("Hepl")).toBe("none");
    expect(best("Sing up")).toBe("Sign up");
    expect(choose(rank(text("Sign in"), page))).toMatchObject({ best: { why: "the same text", score: 1 } });
  });

  it("decides nothing by guess", () => {
    expect(best("Delete", [item("button", "Delete"), item("button", "Delete")])).toBe("several");
    expect(best("Checkout now")).toBe("none");
  });

  it("looks at what a person can see", () => {
    expect(best("Go", [item("button", "Go", { visible: false, hiddenBy: "hidden" })])).toBe("none");
    expect(
      best("Go", [item("button", "Go", { visible: false, hiddenBy: "hidden" }), item("button", "Go")]),
    ).toBe("Go");
  });

  it("prefers the role that was named", () => {
    const items = [item("link", "Save"), item("button", "Save")];
    const choice = choose(rank({ kind: "role", role: "button", name: "Save", source: "" }, items));
    expect(choice).toMatchObject({ kind: "one", best: { item: { role: "button" } } });
  });

  it("gives scores between 0 and 1 for any text", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (wanted, label) => {
        for (const { score } of rank(text(wanted), [item("button", label)])) {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
