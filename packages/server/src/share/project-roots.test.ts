import { expect, it } from "vitest";
import { rootHider } from "./project-roots.js";

it("leaves only the name of a project's folder, whatever is around it", () => {
  const hide = rootHider(["/home/ann/shop", "/home/ann/shop/packages/$&"]);
  expect(hide('{"root":"/home/ann/shop","url":"http://localhost/@fs/home/ann/shop/src/a.ts"}')).toBe(
    '{"root":"shop","url":"http://localhost/@fsshop/src/a.ts"}',
  );
  expect(hide('"/home/ann/shop/packages/$&/b.ts"')).toBe('"$&/b.ts"');
});

it("a word or the root of a disk is not a project root", () => {
  const line = '{"url":"http://shop.test/shop"}';
  expect(rootHider(["shop", "/", "", "/shop"])(line)).toBe(line);
});
