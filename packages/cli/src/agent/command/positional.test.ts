import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { describe, expect, it, onTestFinished } from "vitest";
import { splitKnownSession, splitSession, withWord } from "./positional.js";

const command = (): Command =>
  new Command("inject")
    .exitOverride()
    .usage("[SESSION] ROLE CONTENT")
    .configureOutput({ writeErr: () => {} });

describe("the words of a command that may begin with a session", () => {
  it("have one word more than the command needs when they do", () => {
    expect(splitSession(command(), ["user", "Hello"], { needs: 2 })).toEqual({ words: ["user", "Hello"] });
    expect(splitSession(command(), ["ab12", "user", "Hello"], { needs: 2 })).toEqual({
      session: "ab12",
      words: ["user", "Hello"],
    });
    expect(splitSession(command(), ["ab12"], { needs: 0 })).toEqual({ session: "ab12", words: [] });
  });

  it.each([[["user"]], [["a", "b", "c", "d"]]])("%j are refused with the usage", (words) => {
    expect(() => splitSession(command(), words, { needs: 2 })).toThrow(
      "usage: inject [SESSION] ROLE CONTENT",
    );
  });

  it("begin with a session if the only word is the name of one", () => {
    const dir = mkdtempSync(join(tmpdir(), "debug-bridge-positional-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    mkdirSync(join(dir, "debug", "sessions", "debug_1_ab12"), { recursive: true });
    expect(splitKnownSession(command(), ["ab12"], { dir })).toEqual({ session: "ab12", words: [] });
    expect(splitKnownSession(command(), ["before"], { dir })).toEqual({ words: ["before"] });
    expect(splitKnownSession(command(), ["ab12", "before"], { dir })).toEqual({
      session: "ab12",
      words: ["before"],
    });
  });

  it("do not override the option", () => {
    expect(withWord({ session: "x" }, { session: "y", words: [] })).toEqual({ session: "x" });
    expect(withWord({ dir: "d" }, { session: "y", words: [] })).toEqual({ dir: "d", session: "y" });
  });
});
