import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PictureFolder, pictureTimes, readPicture } from "./picture-folder.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pictures-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("a picture folder stores pictures by their time, readable only by their owner", async () => {
  const pictures = new PictureFolder(folder);
  pictures.add(1_000, Buffer.from("first"));
  pictures.add(2_000, Buffer.from("second"));
  pictures.end(3_000);
  await pictures.settled();
  expect(pictureTimes(folder)).toEqual([
    { at: 1_000, isEnd: false },
    { at: 2_000, isEnd: false },
    { at: 3_000, isEnd: true },
  ]);
  expect(readPicture(folder, 2_000)?.toString()).toBe("second");
  expect(readPicture(folder, 3_000)).toBeUndefined();
  expect(statSync(join(folder, "pictures", "1000.jpg")).mode & 0o777).toBe(0o600);
});

it("stays within its bytes, and still covers the whole time", async () => {
  const pictures = new PictureFolder(folder, 1_000);
  for (let at = 1; at <= 40; at++) {
    pictures.add(at, Buffer.alloc(100));
    await pictures.settled();
  }
  const times = pictureTimes(folder).map(({ at }) => at);
  expect(times.length).toBeLessThanOrEqual(10);
  expect(times.length).toBeGreaterThanOrEqual(4);
  expect(times[0]).toBe(1);
  expect(times.at(-1)).toBe(40);
});

it("reads nothing but pictures, and follows no links", () => {
  expect(pictureTimes(folder)).toEqual([]);
  mkdirSync(join(folder, "pictures"));
  writeFileSync(join(folder, "secret"), "secret");
  symlinkSync(join(folder, "secret"), join(folder, "pictures", "5.jpg"));
  writeFileSync(join(folder, "pictures", "notes.txt"), "");
  expect(pictureTimes(folder)).toEqual([{ at: 5, isEnd: false }]);
  expect(readPicture(folder, 5)).toBeUndefined();
});
