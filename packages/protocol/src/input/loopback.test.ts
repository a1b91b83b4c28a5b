import { describe, expect, it } from "vitest";
import { isLoopbackName } from "../index.js";

describe("the name of a host", () => {
  it.each([
    ...["localhost", "LOCALHOST", "app.localhost", "a.b-c.localhost"],
    ...["127.0.0.1", "127.8.9.10", "[::1]", "::1"],
  ])("%s means this machine", (name) => {
    expect(isLoopbackName(name)).toBe(true);
  });

  it.each([
    ...["localhost.evil.example", "evil-localhost", ".localhost", "a..localhost", "local host", ""],
    ...["127.0.0.1.evil.example", "127.0.0", "128.0.0.1", "0.0.0.0", "[::2]", "[::1].evil.example"],
  ])("%s means another", (name) => {
    expect(isLoopbackName(name)).toBe(false);
  });
});
