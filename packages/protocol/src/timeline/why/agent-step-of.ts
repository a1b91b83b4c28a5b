import type { WhyLink } from "../../schema/why.js";
import { isOfFile } from "./edit-of.js";
import { recordLink } from "./link.js";
import type { StoryEntry } from "./story.js";

/** A development server notices a saved file within this time. */
const SAVE_MS = 10_000;
/** A command of an agent's tool reaches the hub within this time. */
const CALL_MS = 2_000;
const WRITES = /^(edit|write|multiedit|notebookedit|apply_patch|create|str_replace|edit_file|write_file)/i;
const ACTS = /(^|_)(act|eval|evaluate|browser_action|execute)$/;

/** The tool calls of an agent, oldest first. */
export interface AgentCalls {
  readonly sessionId: string;
  readonly calls: readonly StoryEntry[];
}

/** The agent's step that wrote an edited file, or that sent a command. */
export function agentStepOf(
  entry: StoryEntry,
  agents: readonly AgentCalls[],
): { link?: WhyLink; couldBe: WhyLink[] } {
  const found = agents.flatMap(({ sessionId, calls }) =>
    calls
      .filter((call) => call.type === "tool_call_start" && call.at <= entry.at)
      .flatMap((call) => {
        const evidence = entry.type === "edit" ? wrote(call, entry) : sent(call, entry);
        return evidence === undefined
          ? []
          : [{ ...recordLink("agent", call, evidence), sessionId, at: call.at }];
      }),
  );
  if (found.length === 0) return { couldBe: [] };
  // When a file was written several times, the last write before the edit was noticed made the edit.
  const links = found.sort((a, b) => b.at - a.at).map(({ at: _, ...link }) => link);
  const isOneAgent = new Set(links.map(({ sessionId }) => sessionId)).size === 1;
  const [link] = links;
  if (link && (links.length === 1 || (entry.type === "edit" && isOneAgent))) return { link, couldBe: [] };
  return { couldBe: links };
}

function wrote(call: StoryEntry, edit: StoryEntry): string | undefined {
  const { name, input } = call.data;
  if (!WRITES.test(String(name)) || edit.at - call.at > SAVE_MS) return undefined;
  const files = Array.isArray(edit.data.files) ? edit.data.files.map(String) : [];
  const paths = pathsIn(input);
  const file = files.find((each) => paths.some((path) => isOfFile(path, each)));
  return file === undefined
    ? undefined
    : `it wrote ${file} ${seconds(edit.at - call.at)} before the edit was noticed`;
}

/** What could be a path in the input of a tool, with `/` between its parts. */
function pathsIn(input: unknown): string[] {
  // In JSON, ends of lines and backslashes of Windows are written as two characters.
  const text = JSON.stringify(input ?? "").replace(/\\(.)/g, (_, next: string) =>
    next === "\\" ? "/" : " ",
  );
  return text.split(/[^\w./-]+/);
}

function sent(call: StoryEntry, command: StoryEntry): string | undefined {
  const { name, input } = call.data;
  if (!ACTS.test(String(name)) || command.at - call.at > CALL_MS) return undefined;
  const type = String(command.data.type);
  const asked = JSON.stringify(input ?? "");
  const { target, url, key } = command.data;
  const about = [type, url, key, ...Object.values(Object(target))].filter((each) => typeof each === "string");
  const isAsked = about.every((each) => asked.includes(JSON.stringify(each).slice(1, -1)));
  return isAsked ? `it asked for this ${type} ${seconds(command.at - call.at)} before` : undefined;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
