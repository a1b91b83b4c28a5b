import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { ROOT, removeFolder } from "../../fixtures.js";

/** A folder with these files, in which the packages of this workspace can be imported. It is gone when the test is. */
export function projectFolder(files: Readonly<Record<string, string>>): string {
  const parent = join(ROOT, ".cache/projects");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "app-"));
  onTestFinished(() => removeFolder(folder));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
