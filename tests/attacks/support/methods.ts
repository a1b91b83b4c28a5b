import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

interface ProtocolFile {
  readonly domains: readonly { domain: string; commands?: readonly { name: string }[] }[];
}

/** Every method of the DevTools protocol. */
export const METHODS: readonly string[] = ["browser_protocol", "js_protocol"].flatMap((file) => {
  const path = createRequire(import.meta.url).resolve(`devtools-protocol/json/${file}.json`);
  const { domains } = JSON.parse(readFileSync(path, "utf8")) as ProtocolFile;
  return domains.flatMap(({ domain, commands = [] }) => commands.map(({ name }) => `${domain}.${name}`));
});

/** Methods that do not exist, or not yet. */
export const UNKNOWN_METHODS = [
  "Future.act",
  "Page.paintItBlack",
  "Runtime.evaluateTwice",
  "constructor.name",
];
