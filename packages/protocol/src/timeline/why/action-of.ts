import type { ChainStep } from "../../schema/app/chain.js";
import type { WhyLink } from "../../schema/why.js";
import { recordLink } from "./link.js";
import { chainOf, isAction, type Story, type StoryEntry } from "./story.js";

/** What the end of a chain shows about who began it. */
export interface Origin {
  readonly link?: WhyLink;
  /** The record of that link. */
  readonly entry?: StoryEntry;
  readonly unknown?: string;
  readonly couldBe?: readonly WhyLink[];
}

/** Commands that run code of the page themselves, without an event. */
const DIRECT = /^(evaluate|call_tool|navigate)$/;

/** What began the code of a record: the action or edit during which it ran, as far as something shows it. */
export function actionBehind(story: Story, entry: StoryEntry): Origin {
  const chain = chainOf(entry);
  const cause = story.get(entry.record.causedBy);
  if (cause?.type === "edit") return byEdit(cause);
  const last = chain?.at(-1);
  if (last && /^listener /.test(last.how)) return ofListener(story, last);
  if (last?.how === "not kept")
    return { unknown: "the browser keeps what started errors and warnings, and not other lines" };
  if (last && /^script/.test(last.how)) return ofPage(story, entry);
  if (chain && chain.length > 0) return withoutEvent(chain, cause);
  if (cause) return withoutChain(story, entry, cause);
  const unknown = "no chain was kept when this was recorded";
  return { unknown };
}

function byEdit(edit: StoryEntry): Origin {
  const link = recordLink("edit", edit, "it came while this edit took effect");
  return { link, entry: edit };
}

/** The action that was running when the event was dispatched. */
function ofListener(story: Story, { how, at }: ChainStep): Origin {
  const event = how.replace(/^listener /, "");
  if (at === undefined) return { unknown: `which ${event} it was is not known` };
  const spans = story.spans.filter(({ from, to }) => from <= at && at <= to);
  const commands = spans.filter(({ action }) => action.type === "command");
  const fitting = (commands.length > 0 ? commands : spans).map(({ action }) => action);
  const [action] = fitting;
  if (!action)
    return { unknown: `the ${event} was nobody's command; who did it is recorded only while the session is` };
  const evidence = `the ${event} was dispatched while it ran`;
  if (fitting.length === 1)
    return { link: recordLink("action", action, `${evidence}, and nothing else did`), entry: action };
  return {
    unknown: `${fitting.length} actions ran when the ${event} was dispatched`,
    couldBe: fitting.map((each) => recordLink("action", each, evidence)),
  };
}

function ofPage(story: Story, entry: StoryEntry): Origin {
  const { instanceId } = entry.record;
  const hello = story.records.find(
    ({ type, record }) => type === "hello" && record.instanceId === instanceId,
  );
  if (!hello) return { unknown: "a script of the page began it; when the page was loaded is not kept" };
  return { link: recordLink("page", hello, "a script ran it while the page was loaded"), entry: hello };
}

/** The chain ends at code that no known event started. That a command ran at the same time proves nothing. */
function withoutEvent(chain: readonly ChainStep[], cause: StoryEntry | undefined): Origin {
  const isDirect = cause !== undefined && chain.length === 1 && DIRECT.test(String(cause.data.type));
  if (isDirect) return { link: recordLink("action", cause, "it ran this code itself"), entry: cause };
  const unknown = "what started this code is not known";
  if (!cause || !isAction(cause)) return { unknown };
  return { unknown, couldBe: [recordLink("action", cause, "it ran at the same time")] };
}

/** Without a chain there is only what ran at the time. A timer may run at any time, so what also came without it was not its doing. */
function withoutChain(story: Story, entry: StoryEntry, cause: StoryEntry): Origin {
  const link = recordLink("action", cause, "it came while this ran, and nothing else did; no chain was kept");
  const text = String(entry.data.text ?? "");
  const comesAnyway = story.records.some(
    ({ type, data, record }) =>
      type === entry.type && text !== "" && data.text === text && record.causedBy !== entry.record.causedBy,
  );
  if (!comesAnyway) return { link, entry: cause };
  return { unknown: "the same came at other times as well", couldBe: [link] };
}
