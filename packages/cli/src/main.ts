#!/usr/bin/env node
import { hookEntry, isHookCall } from "./agent/hook-entry.js";

if (isHookCall(process.argv)) await hookEntry(process.argv);
else process.exitCode = await (await import("./program.js")).runProgram(process.argv);
