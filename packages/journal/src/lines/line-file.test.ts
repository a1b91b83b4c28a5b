import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LineFile } from "./line-file.js";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "debug-bridge-lines-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("lines are appended in their order", async () => {
  const path = join(folder(), "log.jsonl");
  const file = new LineFile(path);
  expect(await file.append(["1\n", "2\n"])).toEqual({ left: [] });
  expect(await file.append(["3\n"])).toEqual({ left: [] });
  expect(readFileSync(path, "utf8")).toBe("1\n2\n3\n");
});

test("what cannot be written is returned with the reason, and can be appended later", async () => {
  const path = join(folder(), "later", "log.jsonl");
  const { left, error } = await new LineFile(path).append(["1\n", "2\n"]);
  expect(left).toEqual(["1\n", "2\n"]);
  expect(error?.message).toContain("ENOENT");
});

test.runIf(existsSync("/dev/full"))("a full disk takes nothing, and nothing counts as written", async () => {
  const path = join(folder(), "full");
  symlinkSync("/dev/full", path);
  const { left, error } = await new LineFile(path).append(["1\n", "2\n"]);
  expect(left).toEqual(["1\n", "2\n"]);
  expect(error?.message).toContain("ENOSPC");
});
