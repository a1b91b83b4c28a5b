import { BridgeError } from "@debug-bridge/protocol";
import { asKept } from "./input/insert-text.js";

/** Fields whose value is set as a whole: there is no half a date. */
export const WHOLE = /^(?:date|datetime-local|month|week|time|color|range)$/;

const FORMATS: Readonly<Record<string, string>> = {
  date: "YYYY-MM-DD, such as 2026-05-04",
  "datetime-local": "YYYY-MM-DDTHH:MM, such as 2026-05-04T09:30",
  month: "YYYY-MM, such as 2026-05",
  week: "YYYY-Www, such as 2026-W19",
  time: "HH:MM, such as 09:30",
  color: "#rrggbb, such as #ff8800",
  range: "a number, such as 5",
  number: "a number, such as -1.5",
};

/**
 * Refuses a value that the browser would not keep in such a field, before anything is done. What it only rounds or
 * clamps passes.
 */
export function refuseMalformed(field: Element, value: string): void {
  const { localName, type } = field as HTMLInputElement;
  const format = localName === "input" ? FORMATS[type] : undefined;
  if (format === undefined || value === "") return;
  const kept = asKept(field as HTMLInputElement, value);
  // A colour that is none becomes black, a range that is none its middle.
  const wrong =
    type === "color"
      ? kept !== value.toLowerCase()
      : type === "range"
        ? !Number.isFinite(Number(value)) || value.trim() === ""
        : kept === "";
  if (!wrong) return;
  // Without the value: what was typed is in no message.
  throw new BridgeError(
    "invalid_message",
    `a ${type} field does not take that value; it takes ${format}. Nothing was done`,
    { field: "text" },
  );
}

/** What the field itself, not the app, does to a value that does not fit: cut, clamped, rounded. */
export function asTaken(field: Element, value: string): string {
  const { localName, maxLength } = field as HTMLInputElement;
  if (localName !== "input" && localName !== "textarea") return value;
  const kept = asKept(field as HTMLInputElement, value);
  return maxLength >= 0 ? kept.slice(0, maxLength) : kept;
}
