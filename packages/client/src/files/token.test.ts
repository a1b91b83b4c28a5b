import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { homeFolder } from "./home.js";
import { loadToken, readToken, tokenOf } from "./token.js";

function home(): string {
  const path = mkdtempSync(join(tmpdir(), "debug-bridge-token-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe("the home folder", () => {
  it("is the default when nothing is given, or only an empty text", () => {
    expect(homeFolder("/x", { DEBUG_BRIDGE_HOME: "/y" })).toBe("/x");
    expect(homeFolder(undefined, { DEBUG_BRIDGE_HOME: "/y" })).toBe("/y");
    for (const env of [{}, { DEBUG_BRIDGE_HOME: "" }])
      expect(homeFolder("", env)).toMatch(/[\\/]\.debug-bridge$/);
  });
});

describe("the token", () => {
  it("is created once and kept", () => {
    const folder = home();
    const first = loadToken(folder);
    expect(loadToken(folder)).toEqual(first);
    expect(tokenOf(folder)).toBe(first.token);
    expect(loadToken(home()).token).not.toBe(first.token);
  });

  it("is made private again if its file was not, and replaced if the file holds something else", () => {
    const folder = home();
    const { tokenFile, token } = loadToken(folder);
    chmodSync(tokenFile, 0o644);
    loadToken(folder);
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    writeFileSync(tokenFile, "short");
    expect(readToken(tokenFile)).toBeUndefined();
    expect(loadToken(folder).token).not.toBe(token);
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
  });

  it("is not read from anything but a small regular file", () => {
    const folder = home();
    mkdirSync(join(folder, "token"));
    expect(tokenOf(folder)).toBeUndefined();
    const other = home();
    writeFileSync(join(other, "token"), `${"t".repeat(43)}${" ".repeat(2_000)}`);
    expect(tokenOf(other)).toBeUndefined();
  });
});
