import type { SourceLocation } from "../../console/record.js";
import { servedNote } from "../../records/served-note.js";
import type { ChainFrame, ChainStep } from "../../schema/app/chain.js";
import type { WhyAnswer, WhyLink } from "../../schema/why.js";
import type { TimelineSource } from "../source.js";
import { actionBehind, type Origin } from "./action-of.js";
import { type AgentCalls, agentStepOf } from "./agent-step-of.js";
import { editOf } from "./edit-of.js";
import { kindOfStep, placeOf, recordLink } from "./link.js";
import { type AnsweredRequest, overtakenBy, requestsOf } from "./request-of.js";
import { chainOf, framesOf, Story, type StoryEntry } from "./story.js";

/** A chain of chains that is longer than this says nothing more. */
const MAX_LINKS = 30;
const MAX_COULD_BE = 5;
const MAX_NOTES = 5;

/** Where code was written, from where it runs; `undefined` when that is not known. */
type Locate = (place: SourceLocation) => Promise<SourceLocation | undefined>;

export interface WhyOptions {
  readonly locate?: Locate;
  /** The tool calls of agents that the same hub knows. */
  readonly agents?: () => readonly AgentCalls[];
}

/** What is being put together. */
interface Draft {
  readonly story: Story;
  readonly links: WhyLink[];
  readonly couldBe: WhyLink[];
  readonly notes: string[];
  unknown?: string;
}

/**
 * Why a record came about: the chain back to the action, edit or agent's step that began it, with the evidence for each link.
 * Where nothing shows what came before, the chain ends and says so. Nothing is guessed.
 *
 * @example const { links } = await explain(source, source.columns.positionOf(42));
 */
export async function explain(
  source: TimelineSource,
  position: number,
  { locate = async () => undefined, agents = () => [] }: WhyOptions = {},
): Promise<WhyAnswer> {
  const story = new Story(source, position);
  const sequence = source.columns.sequences[position] as number;
  const subject = story.get(sequence);
  const draft: Draft = { story, links: [], couldBe: [], notes: [] };
  if (!subject) return { sequence, ...draft, unknown: "the record is no longer stored" };
  const shown = requestRecord(story, subject);
  draft.links.push(recordLink("subject", subject, ""));
  const started = walk(draft, shown);
  await addEdit(draft, subject, started, locate);
  addAgentStep(draft, agents());
  const links = await Promise.all(joined(draft.links).map((link) => written(link, locate)));
  const { couldBe, notes, unknown } = draft;
  return {
    sequence,
    links,
    ...(unknown === undefined ? {} : { unknown }),
    couldBe: unique(couldBe).slice(0, MAX_COULD_BE),
    notes: [...new Set(notes)].slice(0, MAX_NOTES),
  };
}

/** The end of a request came about because of its beginning, which has the chain. */
function requestRecord(story: Story, subject: StoryEntry): StoryEntry {
  if (subject.type !== "network" || subject.data.phase === "request") return subject;
  return story.ofRequest(String(subject.data.id), subject)[0] ?? subject;
}

/** Follows the chains of a record and of the requests that it waited for. Returns the action at their end. */
function walk(draft: Draft, from: StoryEntry): StoryEntry | undefined {
  const { story, links } = draft;
  for (let entry = from; links.length < MAX_LINKS; ) {
    const waited = addSteps(draft, entry);
    if (waited === "unclear") return undefined;
    if (!waited) return addOrigin(draft, actionBehind(story, entry));
    entry = waited.request;
  }
  draft.unknown = "the chain is longer than what is shown";
  return undefined;
}

/** Adds what started the code of a record, up to the request that it waited for. */
function addSteps(draft: Draft, entry: StoryEntry): AnsweredRequest | "unclear" | undefined {
  const { story, links, couldBe } = draft;
  const [own, ...steps] = chainOf(entry) ?? [];
  let above: ChainFrame | undefined = own?.frames.at(-1);
  for (const step of steps.filter(({ how }) => how !== "not kept")) {
    const waitedFor = isWait(step) ? requestsOf(story, entry, { above, step }) : [];
    const [answer, other] = waitedFor;
    if (!(answer && step.request !== undefined)) links.push(stepLink(step, entry));
    addTimesNote(draft, step);
    if (answer && other) {
      couldBe.push(
        ...waitedFor.map((each) => requestLink(each, "the same code made it, and it was answered")),
      );
      draft.unknown =
        "several requests of the same code were answered; nothing shows which of them this waited for";
      return "unclear";
    }
    if (answer) {
      links.push(requestLink(answer, answerEvidence(step)));
      addOrderNote(draft, answer);
      // The request itself was reported: its own chain goes on from here.
      if (answer.request.sequence !== entry.sequence) return answer;
    }
    above = step.frames.at(-1) ?? above;
  }
  return undefined;
}

const isWait = ({ how, request }: ChainStep): boolean =>
  request !== undefined || /^(await|async|Promise|XMLHttpRequest)/.test(how);

const answerEvidence = ({ request }: ChainStep): string =>
  request === undefined
    ? "the code that made it went on after its answer: the calls up to it are the same"
    : "its answer ran this code";

function stepLink(step: ChainStep, { data }: StoryEntry): WhyLink {
  const [frame] = step.frames;
  const where = frame?.name ? ` in ${frame.name}` : "";
  const isEvent = step.how.startsWith("listener ");
  const evidence =
    data.source === "cdp" || step.at === undefined
      ? "the browser's own record of it"
      : "the page kept it when it was set up";
  return {
    kind: kindOfStep(step.how),
    text: isEvent ? `a ${step.how.slice(9)} event` : `${step.how}${where}`,
    evidence: isEvent ? "it was being dispatched" : evidence,
    ...(frame ? { place: placeOf(frame) } : {}),
  };
}

function requestLink({ request, end }: AnsweredRequest, evidence: string): WhyLink {
  return { ...recordLink("request", end ?? request, evidence), sequence: request.sequence };
}

function addTimesNote({ notes }: Draft, { how, times }: ChainStep): void {
  if (times !== undefined)
    notes.push(
      `the element has ${times} ${how.replace(/^listener /, "")} listeners with the same code: it was added ${times} times, and each of them runs`,
    );
}

function addOrderNote({ story, notes }: Draft, answer: AnsweredRequest): void {
  for (const other of overtakenBy(story, answer)) {
    const { text } = recordLink("request", other.request, "");
    notes.push(
      `#${answer.request.sequence} was answered after #${other.request.sequence} (${text}), which began later: answers came out of order`,
    );
  }
}

function addOrigin(draft: Draft, { link, entry, unknown, couldBe = [] }: Origin): StoryEntry | undefined {
  if (link) draft.links.push(link);
  if (unknown !== undefined) draft.unknown = unknown;
  draft.couldBe.push(...couldBe);
  return entry;
}

/** The edit that brought an error, after the action that shows it. */
async function addEdit(
  draft: Draft,
  subject: StoryEntry,
  started: StoryEntry | undefined,
  locate: Locate,
): Promise<void> {
  if (subject.type !== "error" && subject.type !== "unhandledrejection") return;
  if (started?.type === "edit") return;
  const frames = framesOf(subject);
  const places = (await Promise.all(frames.map((frame) => locate(placeOf(frame))))).filter(isKnown);
  const { link, couldBe } = editOf(draft.story, subject, [...frames, ...places], started);
  if (link) draft.links.push(link);
  draft.couldBe.push(...couldBe);
}

/** Who made the edit, or sent the command, that the chain ends with. */
function addAgentStep(draft: Draft, agents: readonly AgentCalls[]): void {
  const last = draft.links.at(-1);
  const entry =
    last && (last.kind === "edit" || last.kind === "action") ? draft.story.get(last.sequence) : undefined;
  if (!entry) return;
  const { link, couldBe } = agentStepOf(entry, agents);
  if (link) draft.links.push(link);
  draft.couldBe.push(...couldBe);
}

/** A loop that starts itself again and again is one link. */
function joined(links: readonly WhyLink[]): WhyLink[] {
  const runs: { link: WhyLink; times: number }[] = [];
  for (const link of links) {
    const last = runs.at(-1);
    const isAgain = last && link.sequence === undefined && last.link.text === link.text;
    if (isAgain) last.times++;
    else runs.push({ link, times: 1 });
  }
  return runs.map(({ link, times }) =>
    times === 1 ? link : { ...link, text: `${link.text}, ${times} times` },
  );
}

/** A link with the place where its code was written. */
async function written(link: WhyLink, locate: Locate): Promise<WhyLink> {
  if (!link.place) return link;
  const place = await locate(link.place);
  if (place) return { ...link, place };
  return servedNote(link.place.url) ? { ...link, isServed: true } : link;
}

const isKnown = (place: SourceLocation | undefined): place is SourceLocation => place !== undefined;

function unique(links: readonly WhyLink[]): WhyLink[] {
  return [...new Map(links.map((link) => [`${link.sessionId ?? ""} ${link.sequence}`, link])).values()];
}
