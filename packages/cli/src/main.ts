#!/usr/bin/env node
import { isHookCall } from "./agent/hook/is-hook-call.js";

if (isHookCall(process.argv)) {
  // One file (bundle.mjs), because an agent waits for it at every tool. Not a literal: it is built after the types.
  const bundle = "./hook.bundle.js";
  const { hookEntry } = (await import(bundle)) as typeof import("./agent/hook/hook-entry.js");
  await hookEntry(process.argv);
} else process.exitCode = await (await import("./program.js")).runProgram(process.argv);
