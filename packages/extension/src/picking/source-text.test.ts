import { expect, it } from "vitest";
import { sourceText } from "./source-text.js";

it("a source that an element gives in one line is kept", () => {
  expect(sourceText("\nsrc/App.tsx:12:3")).toBe("src/App.tsx:12:3");
  expect(sourceText("App\nsrc/App.tsx:12")).toBe("src/App.tsx:12");
  expect(sourceText("App\n")).toBeUndefined();
  expect(sourceText("")).toBeUndefined();
  expect(sourceText({ toString: () => "x" })).toBeUndefined();
});

it("finds the app's own file in a stack, without positions of code that was transformed", () => {
  const stack = [
    "Checkout",
    "Error: react-stack-top-frame",
    "    at exports.jsxDEV (http://localhost:5173/node_modules/.vite/deps/react_jsx-dev-runtime.js?v=1:250:30)",
    "    at Checkout (http://localhost:5173/src/pages/checkout.tsx?t=17:42:11)",
    "    at App (http://localhost:5173/src/app.tsx:3:1)",
  ].join("\n");
  expect(sourceText(stack)).toBe("src/pages/checkout.tsx");
  expect(sourceText("App\nError: x\n    at <anonymous>")).toBeUndefined();
});
