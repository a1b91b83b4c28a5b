import type { CommandInput, CommandResult, Receipt } from "@debug-bridge/protocol";
import type { AllKinds, Kind } from "./all-kinds.js";

/** What an app says of input that only a browser can make; tabs and launched browsers have no reason to. */
const UNTRUSTED = /^the app got the events; a page cannot trigger /;

/**
 * A result in a form that must be the same in every kind of session, over every way. All of it is compared, except for
 * what is named here; `comparable` counts refs from the page's first one and removes times and the page's own address.
 */
export function comparableResult(kinds: AllKinds, kind: Kind, result: CommandResult): Partial<CommandResult> {
  // Names of this command, of this page and of the moment.
  const { requestId, instanceId, sessionId, timestamp, message, receipt, ...rest } = result;
  const isUntrusted = kind === "app" && UNTRUSTED.test(message ?? "");
  return kinds.comparable(kind, {
    ...rest,
    ...(message === undefined || isUntrusted ? {} : { message }),
    ...(rest.details === undefined ? {} : { details: withoutIds(rest.details) }),
    ...(receipt === undefined ? {} : { receipt: comparableReceipt(receipt, result.requestType) }),
  });
}

function comparableReceipt({ looks = [], console: lines = [], ...rest }: Receipt, command: string): Receipt {
  return {
    ...rest,
    looks: looks
      // A key that the browser itself gets shows where the focus is from then on; a page cannot do that.
      .filter((line) => command !== "press" || !line.endsWith(": outline"))
      // Only what is on the screen is counted, and windows differ in size.
      .map((line) => line.replace(/^\d+ (?=elements moved, came or went$)/, "")),
    // What the browser itself logs is seen by CDP only.
    console: lines.filter(({ text }) => !text.startsWith("Failed to load resource:")),
  };
}

/** Elements have ids that begin at a random number with every page, like refs, and nobody is shown them. */
const withoutIds = <Details extends object>(details: Details): Details =>
  JSON.parse(JSON.stringify(details), (key, value: unknown) =>
    key === "id" && /^el-\d+$/.test(String(value)) ? undefined : value,
  ) as Details;

/**
 * What was answered, or its record, without what must differ between the two: the text that was typed is in no record. Who
 * typed it sees it, in the new value of the field.
 */
export function withoutTyped(result: Partial<CommandResult>, { type }: CommandInput): object {
  if (type !== "type" || !result.success) return result;
  const { value, receipt, ...rest } = result;
  const changed = receipt?.changed?.map(({ after: _typed, ...change }) => change);
  return { ...rest, receipt: { ...receipt, changed } };
}
