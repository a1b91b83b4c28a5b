import type { RecordDetails } from "@debug-bridge/protocol";
import type { ReactNode } from "react";
import type { TimelineAddress, TimelineReader } from "../../data/timeline-reader.js";
import { AgentDetails } from "../agent-details.js";
import { CommandDetails } from "../command-details.js";
import { EditDetails } from "../edit-details.js";
import { Section } from "../section.js";
import { ConsoleDetails } from "../values/console-details.js";
import { StateDetails } from "../values/state-details.js";
import { ValueTree } from "../values/value-tree.js";
import { RequestDetails } from "./request-details.js";

export interface BodyProps {
  readonly details: RecordDetails;
  readonly reader: TimelineReader;
  readonly timeline: TimelineAddress;
  /** What caused the record. It comes after what names it, and before its values. */
  readonly why: ReactNode;
}

/** The part of the details that depends on what kind of record it is. */
export function BodyOf(props: BodyProps): ReactNode {
  const { record, row } = props.details;
  switch (record.type) {
    case "console":
    case "error":
    case "unhandledrejection":
      return <ConsoleDetails {...props} />;
    case "network":
      return <RequestDetails {...props} />;
    case "edit":
    case "edit_result":
      return <EditDetails {...props} />;
    case "command":
    case "command_result":
      return <CommandDetails {...props} />;
    case "state_update":
      return <StateDetails {...props} />;
    default:
      if (row.kind === "agent") return <AgentDetails {...props} />;
      return (
        <>
          <Section title="Data">
            <ValueTree value={record.data} />
          </Section>
          {props.why}
        </>
      );
  }
}
