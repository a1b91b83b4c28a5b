import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readRegular } from "../lines/regular-file.js";
import { replaceFile } from "../lines/replace-file.js";
import { isAlive, processStart } from "./liveness.js";

const debuggersIn = (folder: string): string => join(folder, "debuggers");

/** Says in the folder of an agent that this process debugs it. Returns a function that says that it left on purpose. */
export function joinAsDebugger(folder: string): () => void {
  const file = join(debuggersIn(folder), String(process.pid));
  try {
    mkdirSync(debuggersIn(folder), { recursive: true, mode: 0o700 });
    replaceFile(file, processStart(process.pid) ?? "");
  } catch {
    // A folder that cannot be written has no debuggers to miss.
  }
  return () => rmSync(file, { force: true });
}

/** Whether an agent has debuggers: one that runs, only such that died without leaving, or none that said so. */
export function debuggersOf(folder: string): "running" | "died" | "none" {
  const all = read(folder);
  if (all.length === 0) return "none";
  return all.some(isAlive) ? "running" : "died";
}

export function forgetDeadDebuggers(folder: string): void {
  for (const one of read(folder))
    if (!isAlive(one)) rmSync(join(debuggersIn(folder), String(one.pid)), { force: true });
}

function read(folder: string): { pid: number; processStart?: string }[] {
  let names: string[];
  try {
    names = readdirSync(debuggersIn(folder)).filter((name) => /^[1-9]\d{0,9}$/.test(name));
  } catch {
    return [];
  }
  return names.map((name) => ({ pid: Number(name), ...startOf(join(debuggersIn(folder), name)) }));
}

function startOf(file: string): { processStart?: string } {
  try {
    const text = readRegular(file).trim();
    return text === "" ? {} : { processStart: text };
  } catch {
    return {};
  }
}
