import { describe, expect, it } from "vitest";
import { fillBlocks, withoutBlocks } from "./blocks.mjs";

const results = [
  {
    bench: "hub/memory",
    figures: [
      { name: "per session", value: 10.25, unit: "KB", limit: 20, ok: true },
      { name: "held", value: 9_000, unit: "sessions", limit: 10_000, better: "higher", ok: false },
    ],
  },
];
const page = (list: string): string =>
  `Before\n\n<!-- figures\n${list}\n-->\nold\n<!-- /figures -->\n\nafter 3 ms`;

describe("figures in pages", () => {
  it("fills a table with the figures that a comment names", () => {
    const filled = fillBlocks(page("hub/memory > per session > an idle session\nhub/memory"), results);
    expect(filled).toContain(
      [
        "| | measured | limit |",
        "|---|---|---|",
        "| an idle session | 10.3 KB | at most 20 KB |",
        "| per session | 10.3 KB | at most 20 KB |",
        "| held | 9,000 sessions (missed) | at least 10,000 sessions |",
      ].join("\n"),
    );
    expect(filled).not.toContain("old");
    expect(fillBlocks(filled, results)).toBe(filled);
  });

  it("fills a figure in a sentence, and what was computed", () => {
    const text = "It takes <!-- figure: hub/memory > per session -->1 KB<!-- /figure -->.";
    expect(fillBlocks(text, results)).toContain("-->10.3 KB<!--");
    const computed = "<!-- computed: needs -->\nold\n<!-- /computed -->";
    expect(fillBlocks(computed, results, { needs: "3 hubs" })).toBe(
      "<!-- computed: needs -->\n\n3 hubs\n\n<!-- /computed -->",
    );
  });

  it("refuses figures that nobody measured", () => {
    expect(() => fillBlocks(page("hub/memory > per page"), results)).toThrow('no figure "per page"');
    expect(() => fillBlocks(page("hub/other"), results)).toThrow("no figures of hub/other");
    const never = [{ bench: "hub/other", figures: [], series: [], isUnmeasured: true }];
    expect(fillBlocks(page("hub/other"), never)).toContain("| `hub/other` | not measured yet |  |");
    expect(() => fillBlocks("<!-- computed: x -->\n<!-- /computed -->", results)).toThrow('"x"');
  });

  it("leaves what people wrote", () => {
    expect(withoutBlocks(page("hub/memory"))).toBe("Before\n\n\n\nafter 3 ms");
  });
});
