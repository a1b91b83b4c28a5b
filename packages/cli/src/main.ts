#!/usr/bin/env node
import { isHookCall } from "./agent/is-hook-call.js";

if (isHookCall(process.argv)) {
  // In one file (bundle.mjs), for an agent waits for it at every tool. Not by a literal: it is built after the types.
  const bundle = "./hook.bundle.js";
  const { hookEntry } = (await import(bundle)) as typeof import("./agent/hook-entry.js");
  await hookEntry(process.argv);
} else process.exitCode = await (await import("./program.js")).runProgram(process.argv);
