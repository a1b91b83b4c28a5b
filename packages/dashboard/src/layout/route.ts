import { useCallback, useSyncExternalStore } from "react";
import type { TimelineAddress } from "../data/timeline-reader.js";

/** What the address says: everything that has an id can be linked to. */
export interface Route {
  /** Another view than a timeline and the list of all. */
  readonly view?: "settings";
  /** The timeline that is shown; without one, the list of all. */
  readonly timeline?: TimelineAddress;
  /** Another recording that this one is compared with. */
  readonly comparedWith?: string;
  /** Sequence of the selected record. */
  readonly record?: number;
  /** Part of the text. */
  readonly text: string;
  /** Kinds that are shown; the usual ones when left out. */
  readonly kinds?: readonly string[];
  readonly level?: string;
  /** Only what this command caused. */
  readonly cause?: number;
  /** Milliseconds since the epoch. */
  readonly from?: number;
  readonly to?: number;
}

const ALL: Route = { text: "" };

const numberOf = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** Reads the part of the address behind `#`. */
export function parseRoute(fragment: string): Route {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const timeline = timelineOf(given);
  if (!timeline) return given.has("settings") ? { text: "", view: "settings" } : ALL;
  const route: { -readonly [Key in keyof Route]: Route[Key] | undefined } = {
    timeline,
    text: given.get("text") ?? "",
    kinds: given.get("kinds")?.split(","),
    level: given.get("level") ?? undefined,
    comparedWith: given.get("with") ?? undefined,
    record: numberOf(given.get("record")),
    cause: numberOf(given.get("cause")),
    from: numberOf(given.get("from")),
    to: numberOf(given.get("to")),
  };
  return Object.fromEntries(
    Object.entries(route).filter(([, value]) => value !== undefined),
  ) as unknown as Route;
}

function timelineOf(given: URLSearchParams): TimelineAddress | undefined {
  for (const kind of ["session", "recording", "file"] as const) {
    const id = given.get(kind);
    if (id) return { kind, id };
  }
  return undefined;
}

/** The part of the address behind `#`, with it. */
export function formatRoute({
  view,
  timeline,
  comparedWith,
  record,
  text,
  kinds,
  level,
  cause,
  from,
  to,
}: Route): string {
  if (view) return `#${view}`;
  const query = new URLSearchParams();
  const add = (name: string, value: string | number | undefined): void => {
    if (value !== undefined && value !== "") query.set(name, String(value));
  };
  if (timeline) query.set(timeline.kind, timeline.id);
  add("with", comparedWith);
  add("record", record);
  add("text", text);
  if (kinds) query.set("kinds", kinds.join(","));
  add("level", level);
  add("cause", cause);
  add("from", from);
  add("to", to);
  return `#${query}`;
}

const CHANGED = "debug-bridge-route";

function subscribe(onChange: () => void): () => void {
  for (const name of ["hashchange", CHANGED]) addEventListener(name, onChange);
  return () => {
    for (const name of ["hashchange", CHANGED]) removeEventListener(name, onChange);
  };
}

/** How the address is changed: a step that Back undoes, or in place. */
export type Navigate = (route: Route, how?: "push" | "replace") => void;

/** What the address says now, and how to change it. */
export function useRoute(): [fragment: string, navigate: Navigate] {
  const fragment = useSyncExternalStore(subscribe, () => location.hash);
  const navigate = useCallback<Navigate>((route, how = "push") => {
    const address = `${location.pathname}${formatRoute(route)}`;
    if (how === "push") history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    dispatchEvent(new Event(CHANGED));
  }, []);
  return [fragment, navigate];
}
