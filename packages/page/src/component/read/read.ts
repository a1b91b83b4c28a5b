import type { ConsoleArgument } from "@debug-bridge/protocol";
import { parse } from "../../inert/natives.js";
import { plainData } from "../../inert/serialize/plain-data.js";
import { reactiveTarget, untracked } from "../../inert/serialize/reactive.js";
import { serialize } from "../../inert/serialize/serialize.js";
import { type Censor, createBudget, type SerializeLimits } from "../../inert/serialize/serialize-budget.js";
import { cut } from "../../inert/text.js";
import { componentsOfAngular } from "./angular.js";
import { componentsOfLit } from "./lit.js";
import { isObject, type Member, type ReadComponent, type ReadComponents } from "./parts.js";
import { componentsOfPreact } from "./preact.js";
import { componentsOfReact } from "./react.js";
import { componentsOfVue } from "./vue.js";
import { componentsWithoutValues } from "./without-values.js";

/** A component as it crosses from the page's own world to that of the engine: data, not masked yet. */
export interface ComponentData {
  readonly name: string;
  readonly parts: readonly (readonly [label: string, members: readonly Member[], omitted: number])[];
}

/** Limits of one value. Texts are longer than what is shown of them, so that none is cut inside a secret before it is masked. */
const LIMITS: SerializeLimits = { room: 10_000, ms: 20, depth: 4, keys: 50, items: 30, string: 4_000 };
const MAX_MEMBERS = 60;

/** Masks nothing, because names and typed texts are known in the engine's world, but reads nothing of elements either. */
const RAW: Censor = { hides: () => false, fit: cut, hidesNode: () => true };

const readers: readonly ReadComponents[] = [
  ...[componentsOfReact, componentsOfVue, componentsOfAngular, componentsOfPreact, componentsOfLit],
  componentsWithoutValues,
];

/**
 * The components around an element, innermost first, as JSON of `ComponentData[]`; empty when nothing is known. Frameworks keep them in the
 * page's own world, where anything may be something else than it seems.
 */
export function readComponents(element: Element): string {
  for (const read of readers) {
    try {
      const components = untracked(() => read(element)?.map(toData));
      if (components && components.length > 0) return JSON.stringify(components);
    } catch {
      // Whatever the page put there.
    }
  }
  return "";
}

function toData({ name, parts }: ReadComponent): ComponentData {
  return {
    name,
    parts: parts.map(([label, members]) => [
      label,
      members.slice(0, MAX_MEMBERS).map(([key, value]): Member => [key, dataOf(value)]),
      Math.max(0, members.length - MAX_MEMBERS),
    ]),
  };
}

function dataOf(value: unknown): unknown {
  const isList = Array.isArray(value) && value.length <= LIMITS.items;
  const shown = isList ? value.map((each) => elementText(each) ?? each) : elementText(value);
  const budget = createBudget({ censor: RAW, targetOf: reactiveTarget, valueLimits: LIMITS });
  return plainData(parse(serialize(shown ?? value, budget)) as ConsoleArgument);
}

/** Elements that are handed on are named: what React and Preact keep with them is the whole app. */
function elementText(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { type, props } = value as { type?: unknown; props?: unknown };
  const isElement = Object.hasOwn(value, "$$typeof") || (Object.hasOwn(value, "__k") && isObject(props));
  if (!isElement) return undefined;
  const { displayName, name } = (type ?? {}) as { displayName?: string; name?: string };
  return `<${typeof type === "string" ? type : displayName || name || ""}>`;
}
