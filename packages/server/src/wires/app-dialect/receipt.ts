import { setTimeout as sleep } from "node:timers/promises";
import { Activity, cut, type Difference, happeningLists, type TelemetryBody } from "@debug-bridge/driver";
import type { CommandOutcome, Receipt, Settle, UiTreeItem } from "@debug-bridge/protocol";
import { differenceOf } from "./tree.js";

/** The SDK collects mutations for 100 ms before it sends them. */
const QUIET_MS = 300;
const MAX_MS = 3_000;
const STEP_MS = 50;
const MAX_VALUE = 1_000;

type Changed = NonNullable<Receipt["changed"]>[number];

/** Watches what an action causes, as far as the page reports it. */
export class DialectReceipt {
  private readonly activity = new Activity();
  private readonly startedAt = performance.now();
  private lastChange = this.startedAt;
  private mutations = 0;

  constructor(private readonly before: readonly UiTreeItem[]) {}

  record(body: TelemetryBody): void {
    this.activity.record(body);
    this.lastChange = performance.now();
    if (body.type === "dom_mutations") this.mutations += body.mutations.length;
  }

  /** Waits until the page is quiet; false if it is not in time. */
  async settle(settle: Settle): Promise<boolean> {
    if (settle === false) return false;
    const { quietMs = QUIET_MS, maxMs = MAX_MS } = settle ?? {};
    while (performance.now() - this.startedAt < maxMs) {
      const isQuiet = performance.now() - this.lastChange >= quietMs && this.activity.inFlight() === 0;
      if (isQuiet) return true;
      await sleep(STEP_MS);
    }
    return false;
  }

  /** `after`: the elements now; `undefined` if the page left before it could be asked. */
  outcome(settled: boolean, after: readonly UiTreeItem[] | undefined): CommandOutcome {
    const happened = this.activity.since(0);
    const difference = after && differenceOf(this.before, after);
    const lists = { ...(difference ? elementLists(difference) : {}), ...happeningLists(happened) };
    const isSilent =
      !difference || Object.values(elementLists(difference)).every((list) => list.length === 0);
    const unsaid =
      "the page changed in ways that debug-bridge-browser 0.2 does not describe, such as its text";
    return {
      receipt: {
        settled,
        durationMs: Math.round(performance.now() - this.startedAt),
        ...cut(lists),
        ...(happened.navigation ? { navigation: happened.navigation } : {}),
      },
      ...(this.mutations > 0 && isSilent ? { message: unsaid } : {}),
    };
  }
}

function elementLists({ added, removed, changed }: Difference) {
  const isSeen = ({ visible }: UiTreeItem): boolean => visible !== false;
  const came = changed.filter(({ before, after }) => !isSeen(before) && isSeen(after));
  const went = changed.filter(({ before, after }) => isSeen(before) && !isSeen(after));
  return {
    appeared: [...added.filter(isSeen), ...came.map(({ after }) => after)].map(lineOf),
    vanished: [...removed.filter(isSeen), ...went.map(({ before }) => before)].map(lineOf),
    changed: changed.flatMap(({ before, after }) => (isSeen(after) ? fieldChanges(before, after) : [])),
  };
}

function lineOf({ ref = "e1", role, name, text }: UiTreeItem): { ref: string; role: string; name: string } {
  return { ref, role, name: (name ?? text ?? "").slice(0, MAX_VALUE) };
}

function fieldChanges(before: UiTreeItem, after: UiTreeItem): Changed[] {
  const fields: [string, unknown, unknown][] = [
    ["text", before.text, after.text],
    ["value", before.meta?.value, after.meta?.value],
    ["checked", before.meta?.checked, after.meta?.checked],
    ["disabled", before.disabled, after.disabled],
  ];
  const shown = (value: unknown): string => String(value ?? "").slice(0, MAX_VALUE);
  return fields
    .filter(([, was, is]) => was !== is)
    .map(([field, was, is]) => ({ ...lineOf(after), field, before: shown(was), after: shown(is) }));
}
