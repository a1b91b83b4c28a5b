import { compare, type Difference, type RunStep, runStepOf } from "@debug-bridge/protocol";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useEffect, useState } from "react";
import { readAll, type TimelineAddress, type TimelineReader } from "../data/timeline-reader.js";
import { ValueTree } from "../details/values/value-tree.js";
import type { Navigate, Route } from "../layout/route.js";

interface Props {
  readonly reader: TimelineReader;
  readonly first: TimelineAddress;
  /** Id of a recording. */
  readonly second: string;
  readonly route: Route;
  readonly navigate: Navigate;
}

/** Steps that are drawn at once. */
const MAX_ROWS = 500;

/** What two agents did, side by side: what both did is on one line. */
export function CompareView({ reader, first, second, route, navigate }: Props): ReactNode {
  const { found, problem } = useComparison(reader, first, second);
  const { comparedWith: _, ...back } = route;
  const same = found?.filter((each) => each.in === "both").length ?? 0;
  return (
    <main className="compare-view">
      <p className="compare-head">
        <button type="button" onClick={() => navigate(back)}>
          Back to the run
        </button>
        {found && (
          <span role="status">
            {same} {same === 1 ? "step is" : "steps are"} the same, {found.length - same} differ.
          </span>
        )}
      </p>
      {problem !== undefined && (
        <p className="error" role="alert">
          {visibleText(problem)}
        </p>
      )}
      {found && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: people scroll it by keyboard
        <div className="compare-table" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{visibleText(first.id)}</th>
                <th scope="col">{visibleText(second)}</th>
              </tr>
            </thead>
            <tbody>
              {found.slice(0, MAX_ROWS).map((each, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
                <tr key={index} className={each.in}>
                  <td>{each.in !== "second" && <Step step={each.first} isSame={each.in === "both"} />}</td>
                  <td>{each.in !== "first" && <Step step={each.second} isSame={each.in === "both"} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {found.length > MAX_ROWS && (
            <p className="quiet">{found.length - MAX_ROWS} more steps are not shown.</p>
          )}
        </div>
      )}
    </main>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  user_input: "To the agent",
  assistant_message: "Agent",
  tool_call_start: "Call",
  tool_result: "Result",
  error: "Error",
};

function Step({ step, isSame }: { readonly step: RunStep; readonly isSame: boolean }): ReactNode {
  const [, what] = JSON.parse(step.key) as [string, unknown];
  return (
    <>
      <span className="quiet">
        #{step.sequence} {NAMES[step.type]} {isSame ? "" : "(only here)"}
      </span>
      <ValueTree value={what} />
    </>
  );
}

function useComparison(
  reader: TimelineReader,
  { kind, id }: TimelineAddress,
  second: string,
): { readonly found?: readonly Difference<RunStep>[]; readonly problem?: string } {
  const [state, setState] = useState<{ found?: readonly Difference<RunStep>[]; problem?: string }>({});
  useEffect(() => {
    let isOpen = true;
    Promise.all([stepsOf(reader, { kind, id }), stepsOf(reader, { kind: "recording", id: second })]).then(
      ([a, b]) => isOpen && setState({ found: compare(a, b) }),
      (thrown: Error) => isOpen && setState({ problem: thrown.message }),
    );
    return () => {
      isOpen = false;
    };
  }, [reader, kind, id, second]);
  return state;
}

async function stepsOf(reader: TimelineReader, of: TimelineAddress): Promise<RunStep[]> {
  const records = await readAll(reader, of, ["agent", "error"]);
  return records.flatMap(({ type, sequence, data }) => runStepOf(type, sequence, data) ?? []);
}
