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
import { Thumbnails } from "../pictures/thumbnail.js";
import type { RunStep } from "../state/turns.js";
import { type RefNames, stepWords } from "./step-words.js";

const ICONS = { tool: Wrench, command: Terminal, file: FilePen, agent: Bot, notice: Info } as const;
/** `unfinished`: the run ended before the step did. */
const STATUS_WORDS = {
  ...{ running: "running", done: "done", failed: "failed", unfinished: "not finished" },
} as const;

interface Props {
  readonly step: RunStep;
  readonly names: RefNames;
  /** Whether the run has ended. */
  readonly isOver: boolean;
}

/** One step of the agent, folded to a line. It opens what the step was given and what it caused. */
export const StepView = memo(
  (props: Props): ReactNode => <StepContent {...props} />,
  // Names are only added; a new map of the same size says the same.
  (before, after) =>
    before.step === after.step && before.isOver === after.isOver && before.names.size === after.names.size,
);

function StepContent({ step, names, isOver }: Props): ReactNode {
  const { title, effects, input, result } = stepWords(step, names);
  const line = (
    <StepLine
      title={title}
      effects={effects}
      kind={step.kind}
      status={isOver && step.status === "running" ? "unfinished" : step.status}
    />
  );
  const pictures = step.images && step.images.length > 0 && (
    <div className="step-pictures">
      <Thumbnails images={step.images} label={`what the agent saw: ${title}`} />
    </div>
  );
  if (input === undefined && result === undefined)
    return (
      <>
        <div className={step.kind === "notice" ? "step notice" : "step"}>{line}</div>
        {pictures}
      </>
    );
  return (
    <>
      <details className="step">
        <summary>
          {line}
          <ChevronRight aria-hidden className="fold" />
        </summary>
        {result !== undefined && <StepText label="Result" text={result} />}
        {input !== undefined && <StepText label="Input" text={input} />}
      </details>
      {pictures}
    </>
  );
}

interface LineProps {
  readonly title: string;
  readonly effects: string;
  readonly kind: RunStep["kind"];
  readonly status: keyof typeof STATUS_WORDS;
}

function StepLine({ title, effects, kind, status }: LineProps): ReactNode {
  const Icon = ICONS[kind];
  const hasWord = status === "failed" || status === "unfinished";
  return (
    <>
      <Icon aria-hidden className="kind" />
      <span className="title" title={title}>
        <bdi>{title}</bdi>
        {effects !== "" && <span className="effects">: {effects}</span>}
      </span>
      <span className={`status ${status}`}>
        {status === "running" && <Loader aria-hidden />}
        {status === "done" && kind !== "notice" && <Check aria-hidden />}
        {hasWord && <AlertTriangle aria-hidden />}
        <span className={hasWord ? undefined : "hidden-text"}>{STATUS_WORDS[status]}</span>
      </span>
    </>
  );
}

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
