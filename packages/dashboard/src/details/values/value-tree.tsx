import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useState } from "react";

/** Members that are shown at first; the rest comes in parts. */
const PART = 100;
const MAX_TEXT = 2_000;
/** Levels that are open at first. */
const OPEN_LEVELS = 1;

interface Props {
  readonly value: unknown;
  readonly name?: string;
  readonly level?: number;
}

/** A value as a tree. Closed parts are not drawn, whatever their size. */
export function ValueTree({ value, name, level = 0 }: Props): ReactNode {
  const label = name === undefined ? null : <span className="key">{visibleText(name)}: </span>;
  if (typeof value !== "object" || value === null)
    return (
      <div className="leaf">
        {label}
        <Leaf value={value} />
      </div>
    );
  return <Branch label={label} value={value} level={level} />;
}

function Branch({ label, value, level }: { label: ReactNode; value: object; level: number }): ReactNode {
  const [isOpen, setOpen] = useState(level < OPEN_LEVELS);
  const [shown, setShown] = useState(PART);
  const entries = Object.entries(value);
  const about = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0)
    return (
      <div className="leaf">
        {label}
        <span className="about">{Array.isArray(value) ? "[]" : "{}"}</span>
      </div>
    );
  return (
    <details className="branch" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span className="about">
          {about} {isOpen ? "" : preview(value)}
        </span>
      </summary>
      {isOpen && (
        <div className="members">
          {entries.slice(0, shown).map(([key, member]) => (
            <ValueTree key={key} name={key} value={member} level={level + 1} />
          ))}
          {entries.length > shown && (
            <button type="button" onClick={() => setShown(shown + PART)}>
              {entries.length - shown} more
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function Leaf({ value }: { readonly value: unknown }): ReactNode {
  if (typeof value !== "string") return <span className={typeof value}>{String(value)}</span>;
  const isLong = value.length > MAX_TEXT;
  return (
    <span className="string" dir="auto">
      "{visibleText(isLong ? value.slice(0, MAX_TEXT) : value)}"
      {isLong && (
        <span className="about">
          {" "}
          … {value.length - MAX_TEXT} more characters; copy the record to see them
        </span>
      )}
    </span>
  );
}

/** The beginning of a value, on one line. */
function preview(value: object): string {
  const parts = Object.entries(value)
    .slice(0, 4)
    .map(([key, member]) => {
      const text =
        typeof member === "object" && member !== null
          ? Array.isArray(member)
            ? "[…]"
            : "{…}"
          : JSON.stringify(member);
      return Array.isArray(value) ? text : `${key}: ${text}`;
    });
  return visibleText(parts.join(", ").slice(0, 100));
}
