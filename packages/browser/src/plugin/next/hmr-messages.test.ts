import { expect, it } from "vitest";
import { HmrBuilds, hmrBuildError, readHmr } from "./hmr-messages.js";

const message = (body: object) => readHmr(JSON.stringify(body));

it("reads messages of Next.js of both forms, and leaves others alone", () => {
  expect(message({ type: "building" })).toEqual({ kind: "building" });
  expect(message({ action: "building" })).toEqual({ kind: "building" });
  expect(message({ type: "serverComponentChanges" })).toEqual({ kind: "update", isOfServer: true });
  expect(message({ type: "turbopack-message" })).toEqual({ kind: "update", isOfServer: false });
  expect(message({ type: "built" })).toEqual({ kind: "built", errors: [] });
  for (const type of ["isrManifest", "constructor", 1]) expect(message({ type })).toBeUndefined();
  for (const data of ["{", "null", "1", new ArrayBuffer(2)]) expect(readHmr(data)).toBeUndefined();
});

it("ends a build of webpack only if one began, and counts a build of Turbopack that changed nothing as no update", () => {
  const built = { kind: "built", errors: [] } as const;
  const webpack = new HmrBuilds();
  expect(webpack.next(built)).toEqual({ isUpdate: false, isEnd: false });
  expect(webpack.next({ kind: "building" })).toEqual({ isUpdate: true, isEnd: false });
  expect(webpack.next(built)).toEqual({ isUpdate: true, isEnd: true });
  const turbopack = new HmrBuilds();
  turbopack.next({ kind: "turbopack" });
  turbopack.next({ kind: "building" });
  expect(turbopack.next(built)).toEqual({ isUpdate: false, isEnd: true });
  turbopack.next({ kind: "update", isOfServer: true });
  expect(turbopack.next(built)).toEqual({ isUpdate: true, isEnd: true });
});

it("finds the message and the place in errors of Turbopack and of webpack", () => {
  const turbopack =
    "./app/page.tsx:7:13\nError: Expression expected\n  \u001b[90m 6 |\u001b[0m <div>\n> 7 | <main <<<";
  expect(hmrBuildError({ message: turbopack })).toEqual({
    ...{ message: "Expression expected", file: "app/page.tsx", line: 7, column: 13 },
    frame: "   6 | <div>\n> 7 | <main <<<",
  });
  const webpack =
    "Module build failed (from ./loader.js):\nError:   x Expression expected\n    ,-[/shop/app/page.tsx:7:1]\n  7 | <main <<<";
  expect(hmrBuildError({ message: webpack, moduleName: "./app/page.tsx" })).toMatchObject({
    ...{ message: "Expression expected", file: "/shop/app/page.tsx", line: 7, column: 1 },
  });
  expect(hmrBuildError({ message: "Can't resolve './a'", moduleName: "./app/b.ts", loc: "3:4-9" })).toEqual({
    ...{ message: "Can't resolve './a'", file: "app/b.ts", line: 3, column: 4 },
  });
});
