import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { RotatingFile } from "./rotating-file.js";

test("a file is never longer than its limit, even when much is written at once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "debug-bridge-audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "log.jsonl");
  const file = new RotatingFile(path, 1_000);
  for (let i = 0; i < 150; i++) file.append(`${i}`.padStart(9, "0"));
  await file.settled();
  expect(statSync(path).size).toBe(500);
  expect(statSync(`${path}.1`).size).toBe(1_000);
  expect(readFileSync(path, "utf8").trimEnd().split("\n").at(-1)).toBe("000000149");
  expect(readFileSync(`${path}.1`, "utf8").startsWith("000000000\n")).toBe(true);
});

test("what comes faster than the disk is counted instead of kept", async () => {
  const folder = mkdtempSync(join(tmpdir(), "debug-bridge-audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "log.jsonl");
  const file = new RotatingFile(path, 100_000_000);
  for (let i = 0; i < 30_000; i++) file.append("x".repeat(99));
  await file.settled();
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThan(21_000);
  expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ lost: 30_000 - (lines.length - 1) });
});

test("what could not be written is kept, and written in its order once that is possible", async () => {
  const folder = mkdtempSync(join(tmpdir(), "debug-bridge-audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const report = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => report.mockRestore());
  const path = join(folder, "home", "log.jsonl");
  writeFileSync(join(folder, "home"), "");
  const file = new RotatingFile(path, 1_000);
  file.append("1");
  await file.settled();
  file.append("2");
  await file.settled();
  expect(report).toHaveBeenCalledTimes(1);
  rmSync(join(folder, "home"));
  file.append("3");
  await file.settled();
  expect(readFileSync(path, "utf8")).toBe("1\n2\n3\n");
});
