import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

const EXTENSIONS = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];

/** The path of a program that the shell would find; undefined when it is not installed. */
export function findProgram(name: string, path = process.env.PATH ?? ""): string | undefined {
  for (const folder of path.split(delimiter))
    for (const extension of EXTENSIONS) {
      const file = join(folder || ".", `${name}${extension}`);
      if (isProgram(file)) return file;
    }
  return undefined;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
