import type { Locator, SourceExcerpt } from "@debug-bridge/protocol";
import type { Failure, Recording, Step } from "../recording/types.js";
import { secretVariable } from "./playwright-test.js";
import { stepText } from "./step-text.js";

export interface ReportSource {
  readonly recording: Recording;
  readonly failure: Failure;
  readonly steps: readonly Step[];
  readonly found: ReadonlyMap<number, Locator>;
  readonly rate: { readonly failed: number; readonly of: number };
  readonly isMinimal: boolean;
  readonly timed: boolean;
  readonly excerpt: SourceExcerpt | undefined;
  /** Files of pictures; the first shows the page before the first step. */
  readonly pictures: readonly string[];
  /** What could not be as in the recording. */
  readonly notes: readonly string[];
  readonly trials: number;
  readonly ms: number;
}

/** What was found, for a person: the failure, the steps with pictures, and how to go on. */
export function reportText(source: ReportSource): string {
  const { recording, failure, steps, found, rate, pictures, excerpt } = source;
  const place = failure.place ? ` at ${code(`${failure.place.url}:${failure.place.line}`)}` : "";
  const secrets = [...new Set(steps.flatMap(({ secret }) => secret ?? []))];
  const picture = (index: number): string[] => {
    const file = pictures[index];
    return file === undefined ? [] : [`   ![${index === 0 ? "before" : `after step ${index}`}](${file})`];
  };
  return [
    `# ${escaped(failure.message)}`,
    "",
    failure.kind === "text"
      ? `The page shows ${code(failure.message)}.`
      : `${failure.kind === "error" ? "Uncaught error" : "console.error"}${place}.`,
    "",
    `It happened in ${rate.failed} of ${rate.of} replays${rate.failed < rate.of ? ", so it is flaky" : ""}. The recording has ${recording.steps.length} actions; ${steps.length} of them ${steps.length === 1 ? "is" : "are"} enough${source.isMinimal ? ", and none of these can be left out" : "; time was over before more could be left out"}. (${source.trials} replays, ${Math.round(source.ms / 1_000)} s)`,
    "",
    "## Steps",
    "",
    `0. go to ${code(recording.url)}`,
    ...picture(0),
    ...steps.flatMap((step, i) => [
      `${i + 1}. ${escaped(stepText(step, found.get(step.id)))}`,
      ...picture(i + 1),
    ]),
    "",
    ...(excerpt ? ["## Code", "", ...excerptLines(excerpt), ""] : []),
    "## Conditions",
    "",
    `- The clock starts at ${new Date(recording.time).toISOString()} (${recording.timeZone}). ${source.timed ? "The failure needs the times of the recording, so the test controls the clock and the order of answers." : "The failure does not depend on the times of the recording."}`,
    `- ${recording.seed === undefined ? "The random numbers of the recording are not known." : `Math.random starts from ${recording.seed}.`}`,
    ...secrets.map(
      (name) =>
        `- ${code(name)} was typed and is not recorded; the test takes it from ${code(secretVariable(name))}.`,
    ),
    ...source.notes.map((note) => `- ${escaped(note)}`),
    "",
    "## Afterwards",
    "",
    "`npx playwright test reproduction` fails now and passes when the bug is fixed; `debug-bridge record verify` with this folder needs no Playwright Test.",
    "",
  ].join("\n");
}

function excerptLines({ url, line, lines }: SourceExcerpt): string[] {
  const width = String(lines.at(-1)?.number ?? 0).length;
  return [
    code(`${url}:${line}`),
    "",
    ...lines.map(
      ({ number, text }) => `    ${number === line ? ">" : " "} ${String(number).padStart(width)}  ${text}`,
    ),
  ];
}

/** What a page says is shown as text, whatever Markdown it contains. */
const escaped = (text: string): string => text.replace(/[\\`*_[\]<>#|!]/g, "\\$&").replaceAll("\n", " ");
const code = (text: string): string => {
  const clean = text.replaceAll(/[\r\n]/g, " ");
  return clean.includes("`") ? `\`\` ${clean} \`\`` : `\`${clean}\``;
};
