#!/usr/bin/env node
// Not in dist: npm links a command only if its file is there, and in a fresh clone it installs before it builds.
import "../dist/main.js";
