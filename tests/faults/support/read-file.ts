import { readFileSync } from "node:fs";

/** The text of a file, or nothing while there is none. */
export function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
