import {
  AlertTriangle,
  Bot,
  Check,
  ChevronRight,
  FilePen,
  Info,
  Loader,
  Terminal,
  Wrench,
} from "lucide-react";
import { memo, type ReactNode } from "react";
import type { RunStep } from "../state/turns.js";
import { type RefNames, stepWords } from "./step-words.js";

const ICONS = { tool: Wrench, command: Terminal, file: FilePen, agent: Bot, notice: Info } as const;
const STATUS_WORDS = { running: "running", done: "done", failed: "failed" } as const;

/** One step of the agent, folded to a line. It opens what the step was given and what it caused. */
export const StepView = memo(
  ({ step, names }: { readonly step: RunStep; readonly names: RefNames }): ReactNode => {
    const { title, effects, input, result } = stepWords(step, names);
    const Icon = ICONS[step.kind];
    const line = (
      <>
        <Icon aria-hidden className="kind" />
        <span className="title" title={title}>
          <bdi>{title}</bdi>
          {effects !== "" && <span className="effects">: {effects}</span>}
        </span>
        <span className={`status ${step.status}`}>
          {step.status === "running" && <Loader aria-hidden />}
          {step.status === "done" && <Check aria-hidden />}
          {step.status === "failed" && <AlertTriangle aria-hidden />}
          <span className={step.status === "failed" ? undefined : "hidden-text"}>
            {STATUS_WORDS[step.status]}
          </span>
        </span>
      </>
    );
    if (input === undefined && result === undefined) return <div className="step">{line}</div>;
    return (
      <details className="step">
        <summary>
          {line}
          <ChevronRight aria-hidden className="fold" />
        </summary>
        {result !== undefined && <StepText label="Result" text={result} />}
        {input !== undefined && <StepText label="Input" text={input} />}
      </details>
    );
  },
);

function StepText({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  return (
    <figure>
      <figcaption>{label}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable. */}
      <pre tabIndex={0} dir="auto">
        {text}
      </pre>
    </figure>
  );
}
