import { IconButton } from "@debug-bridge/ui/components/icon-button.js";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { OctagonPause } from "lucide-react";
import { memo, type ReactNode, useLayoutEffect, useRef } from "react";
import { ValueTree } from "../details/values/value-tree.js";
import { clockTime, durationText } from "../session/clock.js";
import type { AgentRun, RunEntry } from "./agent-run.js";
import { costOf, costText, type Prices } from "./model-prices.js";
import { usePrices } from "./set-prices.js";

interface Props {
  readonly run: AgentRun;
  onSelect(sequence: number): void;
  /** Has the agent stop before a tool, or at an error, from now on; not for a recording. */
  readonly onStopAt?: ((what: StopAt) => void) | undefined;
}

/** What the agent is to stop at: a tool by its name, or any error. */
export type StopAt = { readonly on: "tool"; readonly name: string } | { readonly on: "error" };

/** How near to the end counts as at the end. */
const END_PIXELS = 40;

/** What the agent received, answered and did, whole. */
export function Conversation({ run: { entries }, onSelect, onStopAt }: Props): ReactNode {
  const prices = usePrices();
  const list = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reader of the newest entries follows new ones
  useLayoutEffect(() => {
    if (list.current && isAtEnd.current) list.current.scrollTop = list.current.scrollHeight;
  }, [entries]);
  if (entries.length === 0) return <p className="state">The agent has said nothing yet.</p>;
  return (
    <ol
      ref={list}
      className="conversation"
      aria-label="Conversation"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: people scroll it by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - END_PIXELS;
      }}
    >
      {entries.map((entry) => (
        <Entry key={`${entry.kind} ${entry.sequence}`} {...{ entry, prices, onSelect, onStopAt }} />
      ))}
    </ol>
  );
}

const Entry = memo(function Entry({
  entry,
  prices,
  onSelect,
  onStopAt,
}: { readonly entry: RunEntry; readonly prices: Prices } & Omit<Props, "run">) {
  const { sequence, at } = entry;
  const stopAt = stopAtOf(entry);
  return (
    <li className={`entry ${entry.kind}`}>
      <p className="quiet entry-head">
        {entry.kind === "note" ? (
          <span className={entry.isProblem ? "error" : undefined} dir="auto">
            {visibleText(entry.text)}
          </span>
        ) : (
          <span>{titleOf(entry, prices)}</span>
        )}
        <button type="button" className="link" onClick={() => onSelect(sequence)}>
          {clockTime(at)} #{sequence}
        </button>
        {onStopAt && stopAt && (
          <IconButton
            label="Stop when this happens again"
            onClick={() => onStopAt(stopAt)}
            icon={<OctagonPause aria-hidden />}
          />
        )}
      </p>
      <EntryBody entry={entry} />
    </li>
  );
});

function stopAtOf(entry: RunEntry): StopAt | undefined {
  if (entry.kind === "call") return { on: "tool", name: entry.name };
  return entry.kind === "note" && entry.isProblem ? { on: "error" } : undefined;
}

function titleOf(entry: Exclude<RunEntry, { kind: "note" }>, prices: Prices): string {
  if (entry.kind === "message") return entry.from === "person" ? "To the agent" : "Agent";
  if (entry.kind === "usage") return usageText(entry.tokens, costOf([entry], prices));
  const { name, isRunning, isError, durationMs } = entry;
  const outcome = isRunning ? "has not ended" : isError ? "failed" : "done";
  return `${visibleText(name)}: ${outcome}${durationMs === undefined ? "" : ` in ${durationText(durationMs)}`}`;
}

/** `1,204 tokens in, 80 out, $0.0049` */
export function usageText({ input, output }: { input: number; output: number }, cost?: number): string {
  const tokens = `${input.toLocaleString("en")} tokens in, ${output.toLocaleString("en")} out`;
  return cost === undefined ? tokens : `${tokens}, ${costText(cost)}`;
}

function EntryBody({ entry }: { readonly entry: RunEntry }): ReactNode {
  if (entry.kind === "usage" || entry.kind === "note") return null;
  if (entry.kind === "message")
    return (
      <div className="entry-text" dir="auto">
        {visibleText(entry.text)}
      </div>
    );
  return (
    <div className="call-sides">
      <div>
        <h4>Input</h4>
        <ValueTree value={entry.input} />
      </div>
      <div className={entry.isError ? "error" : undefined}>
        <h4>Result</h4>
        {entry.result === undefined ? (
          <p className="quiet">{entry.isRunning ? "none yet" : "not recorded"}</p>
        ) : typeof entry.result === "string" ? (
          <pre dir="auto">{visibleText(entry.result)}</pre>
        ) : (
          <ValueTree value={entry.result} />
        )}
      </div>
    </div>
  );
}
