import { expect, it } from "vitest";
import { firstOfApp } from "./written-place.js";

const stack = (last: string): string => `Error: no
    at throwAgain (http://localhost:5173/node_modules/vue/runtime.js:270:7)
    at http://localhost:5173/node_modules/.vite/deps/vue.js?v=1:3:4
    at increment (http://localhost:5173/src/${last}:6:9)
    at http://localhost:5173/src/main.ts:1:1`;

it("the place of an error is where the first frame was written that is not in a package", async () => {
  const written = { url: "http://localhost:5173/src/App.vue", line: 2, column: 1 };
  const maps = async ({ url }: { url: string }) => (url.includes("App.vue") ? written : undefined);
  expect(await firstOfApp(stack("App.vue?t=17"), maps)).toEqual({ place: written });
  expect(await firstOfApp("Error: no", maps)).toBeUndefined();
});

it("a script without a map may be what was written, a compiled file is not", async () => {
  const none = async (): Promise<undefined> => undefined;
  const plain = { url: "http://localhost:5173/src/app.js", line: 6, column: 9 };
  expect(await firstOfApp(stack("app.js"), none)).toEqual({ place: plain });
  expect(await firstOfApp(stack("App.vue?t=17"), none)).toEqual({ place: undefined });
});
