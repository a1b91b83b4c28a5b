import { readFileSync } from "node:fs";
import type { EngineConfig } from "./link-messages.js";

const read = (name: string): string => readFileSync(new URL(`../${name}.iife.js`, import.meta.url), "utf8");

let engine: string | undefined;
let mainWorld: string | undefined;

/** The engine as a script for its own world. */
export function engineScript(config: EngineConfig): string {
  engine ??= read("engine");
  return `((DRIVER_CONFIG) => {${engine}\n})(${JSON.stringify(config)})`;
}

/** An expression whose value holds what must run in the page's own world. It leaves nothing behind there. */
export function mainWorldExpression(): string {
  mainWorld ??= read("main-world");
  return `(() => {${mainWorld}\nreturn DebugBridgeInPage})()`;
}
