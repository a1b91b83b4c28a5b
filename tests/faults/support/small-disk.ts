import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../fixtures.js";

/** A file system of a few megabytes that can be filled up. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves no byte free. */
  fill(): void;
  free(): void;
}

/** Mounts one, which needs the rights of root; `undefined` without them. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const path = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "tmpfs", path], {
      stdio: "ignore",
    });
  } catch {
    return undefined;
  }
  // What still writes to it does not keep it: it is gone when nobody has a file open.
  onTestFinished(() => void execFileSync("umount", ["--lazy", path]));
  const filler = join(path, "filler");
  return {
    path,
    fill() {
      const fd = openSync(filler, "a");
      const block = Buffer.alloc(4_096);
      try {
        for (;;) writeSync(fd, block);
      } catch {
        // Full: that is what it is for.
      } finally {
        closeSync(fd);
      }
      if (statfsSync(path).bavail > 0) throw new Error("the disk is not full");
    },
    free: () => rmSync(filler, { force: true }),
  };
}
