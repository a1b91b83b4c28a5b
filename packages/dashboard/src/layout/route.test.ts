import { expect, it } from "vitest";
import { formatRoute, parseRoute } from "./route.js";

it("a route is the same after it was written into the address and read again", () => {
  const route = {
    ...{ timeline: { kind: "session" as const, id: "a/b c&d=e" }, record: 12, text: "é & =", level: "warn" },
    ...{ kinds: ["network", "error"], cause: 3, from: 1, to: 2 },
  };
  expect(parseRoute(formatRoute(route))).toEqual(route);
});

it("leaves out what makes no sense", () => {
  expect(parseRoute("#nonsense")).toEqual({ text: "" });
  expect(parseRoute("#recording=r&record=-1&from=x")).toEqual({
    ...{ timeline: { kind: "recording", id: "r" }, text: "" },
  });
});
