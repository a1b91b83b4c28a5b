import { ACT_METHODS } from "./methods/act-methods.js";
import { LOOK_METHODS } from "./methods/look-methods.js";
import { NEVER_METHODS } from "./methods/never-methods.js";
import { PROFILE_METHODS } from "./methods/profile-methods.js";

/**
 * What a command does: `look` reads, `act` changes the page or the tab, `profile` reaches beyond the page into the
 * person's profile, `never` is refused for everyone.
 */
export type AccessClass = "look" | "act" | "profile" | "never";

const TABLES: readonly (readonly [AccessClass, Readonly<Record<string, string>>])[] = [
  ["look", LOOK_METHODS],
  ["act", ACT_METHODS],
  ["profile", PROFILE_METHODS],
  ["never", NEVER_METHODS],
];

let classes: Map<string, AccessClass> | undefined;

/**
 * The class of a CDP method. This table is the only one: the hub and the extension both enforce it. A method that is not
 * in the table counts as `act`.
 *
 * @example classifyCdpMethod("Page.captureScreenshot") // "look"
 */
export function classifyCdpMethod(method: string): AccessClass {
  classes ??= readTables();
  return classes.get(method) ?? "act";
}

/** Every method in the table with its class. */
export function cdpMethodClasses(): ReadonlyMap<string, AccessClass> {
  classes ??= readTables();
  return classes;
}

/** Methods that run code. */
export const EVALUATING: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "Runtime.evaluate",
  "Runtime.callFunctionOn",
]);

function readTables(): Map<string, AccessClass> {
  const all = new Map<string, AccessClass>();
  for (const [name, domains] of TABLES)
    for (const [domain, methods] of Object.entries(domains))
      for (const method of methods.trim().split(/\s+/)) all.set(`${domain}.${method}`, name);
  return all;
}
