import { expect, it } from "vitest";
import { firstOfApp } from "./source-locator.js";

it("the place of an error is the first frame that is not in a package", () => {
  const stack = `Error: no
    at throwAgain (http://localhost:5173/node_modules/vue/runtime.js:270:7)
    at http://localhost:5173/node_modules/.vite/deps/vue.js?v=1:3:4
    at increment (http://localhost:5173/src/App.vue?t=17:6:9)
    at http://localhost:5173/src/main.ts:1:1`;
  expect(firstOfApp(stack)).toEqual({ url: "http://localhost:5173/src/App.vue?t=17", line: 6, column: 9 });

  expect(firstOfApp("Error: no")).toBeUndefined();
});
