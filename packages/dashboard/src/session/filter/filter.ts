import { RECORD_KINDS, type RecordKind } from "@debug-bridge/protocol";
import type { Route } from "../../layout/route.js";

/** What a kind is called, in the order in which the kinds can be chosen. */
export const KIND_NAMES: readonly (readonly [RecordKind, string])[] = [
  ["action", "Actions"],
  ["network", "Network"],
  ["console", "Console"],
  ["error", "Errors"],
  ["page", "Page"],
  ["state", "State"],
  ["agent", "Agent"],
  ["dom", "DOM"],
  ["request", "Starts of requests"],
  ["frame", "Socket messages"],
  ["other", "Other"],
];

/** How the page is built and what sockets say is frequent; a request is listed when it ends. */
const HIDDEN: readonly RecordKind[] = ["dom", "request", "frame"];
const USUAL = RECORD_KINDS.filter((kind) => !HIDDEN.includes(kind));

export function shownKinds({ kinds }: Route): readonly RecordKind[] {
  return kinds ? RECORD_KINDS.filter((kind) => kinds.includes(kind)) : USUAL;
}

/** The route with a kind shown or hidden. */
export function withKind(route: Route, kind: RecordKind, isShown: boolean): Route {
  const kinds = shownKinds(route).filter((each) => each !== kind);
  const changed = isShown ? [...kinds, kind] : kinds;
  const isUsual = changed.length === USUAL.length && USUAL.every((each) => changed.includes(each));
  const { kinds: _, ...rest } = route;
  return isUsual ? rest : { ...rest, kinds: changed };
}

export const isFiltered = ({ text, level, cause, from, to, kinds }: Route): boolean =>
  text !== "" || [level, cause, from, to, kinds].some((value) => value !== undefined);

/** Which effects are hidden under their cause: all except some, or only some. */
export interface Folding {
  readonly isFolded: boolean;
  readonly except: readonly number[];
}

/** The query of the hub's API for what is shown. */
export function filterQuery(route: Route, { isFolded, except }: Folding): URLSearchParams {
  const query = new URLSearchParams({ kinds: shownKinds(route).join(",") });
  const { text, level, cause, from, to } = route;
  if (text.trim() !== "") query.set("text", text.trim());
  for (const [name, value] of Object.entries({ level, cause, from, to }))
    if (value !== undefined) query.set(name, String(value));
  if (isFolded) query.set("folded", "");
  if (except.length > 0) query.set("except", except.join(","));
  return query;
}
