#!/usr/bin/env node
// Not in dist: npm links a command only if its file is there, and in a fresh clone it installs before it builds.
import module from "node:module";
import { fileURLToPath } from "node:url";

// Newer versions of Node keep what they compiled. Beside the program, and not in a folder of the system that others can
// write to: what is in there is run. It is off if this folder cannot be written.
module.enableCompileCache?.(fileURLToPath(new URL("../dist/.compile-cache", import.meta.url)));
await import("../dist/bundle/main.js");
