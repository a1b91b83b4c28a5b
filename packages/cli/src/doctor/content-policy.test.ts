import { expect, it } from "vitest";
import { allows, policiesOf } from "./content-policy.js";

const PAGE = new URL("http://localhost:5173/");
const HUB = "ws://127.0.0.1:4000";

it.each([
  ["connect-src *", true],
  ["connect-src ws:", true],
  ["connect-src 'self' ws://127.0.0.1:4000", true],
  ["connect-src ws://127.0.0.1:*", true],
  ["connect-src http://127.0.0.1:4000", true],
  ["connect-src 127.0.0.1:4000", true],
  ["script-src 'self'", true],
  ["default-src 'self'; connect-src ws://127.0.0.1:4000/debug", true],
  ["connect-src 'self'", false],
  ["default-src 'self'", false],
  ["default-src 'none'", false],
  ["connect-src 'self' https:; connect-src *", false],
  ["connect-src ws://127.0.0.1:4001", false],
  ["connect-src ws://localhost:4000", false],
  ["connect-src ws://*.example.com:4000", false],
])("%s lets a page connect to the hub: %s", (policy, expected) => {
  expect(allows([policy], "connect-src", HUB, PAGE)).toBe(expected);
});

it("all policies of a page apply, those of its header and those in it", () => {
  const html = `<meta charset="utf-8"><meta content="default-src 'self'" http-equiv="Content-Security-Policy">`;
  expect(policiesOf("connect-src *, img-src *", html)).toEqual([
    "connect-src *",
    "img-src *",
    "default-src 'self'",
  ]);
  expect(allows(policiesOf("connect-src *", html), "connect-src", HUB, PAGE)).toBe(false);
  expect(policiesOf(null, "<meta name=viewport content='x'>")).toEqual([]);
});
