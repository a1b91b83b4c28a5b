import { expect, it } from "vitest";
import { EDITORS, type EditorId, editorAddress } from "./editors.js";

it("opens a file at its line in each editor", () => {
  const place = { file: "/home/ada/shop/cart.ts", line: 42, column: 7 };
  const all = Object.keys(EDITORS).map((editor) => editorAddress(editor as EditorId, place));
  expect(all).toEqual([
    "vscode://file/home/ada/shop/cart.ts:42:7",
    "cursor://file/home/ada/shop/cart.ts:42:7",
    "zed://file/home/ada/shop/cart.ts:42:7",
    "idea://open?file=%2Fhome%2Fada%2Fshop%2Fcart.ts&line=42&column=7",
    "webstorm://open?file=%2Fhome%2Fada%2Fshop%2Fcart.ts&line=42&column=7",
    "subl://open?url=file%3A%2F%2F%2Fhome%2Fada%2Fshop%2Fcart.ts&line=42&column=7",
  ]);
});

it("escapes whatever a path contains, so that it stays a path", () => {
  const file = '/tmp/a b?x=1&y#z%2F:9/"<script>/cart.ts';
  for (const editor of Object.keys(EDITORS) as EditorId[]) {
    const address = editorAddress(editor, { file, line: 1 });
    expect(address).not.toMatch(/[\s"<>#]/);
    expect(decodeURIComponent(decodeURIComponent(address))).toContain("cart.ts");
    expect(new URL(address).hash).toBe("");
    expect(new URL(address).searchParams.has("y")).toBe(false);
  }
});

it("an editor address keeps the drive of a Windows path and leaves out invalid lines", () => {
  expect(editorAddress("vscode", { file: "C:\\shop\\my cart.ts", line: Number.NaN, column: 3 })).toBe(
    "vscode://file/C:/shop/my%20cart.ts",
  );
  expect(editorAddress("idea", { file: "C:\\shop\\cart.ts", line: -1 })).toBe(
    "idea://open?file=C%3A%5Cshop%5Ccart.ts",
  );
});
