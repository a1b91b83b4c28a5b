import { plural } from "@debug-bridge/protocol";
import type { RunStep, Turn } from "../state/turns.js";

/** What a step did, in words for a person, and what it was given and got. */
export interface StepWords {
  readonly title: string;
  /** Counts of what it caused: `1 request, 1 error`. */
  readonly effects: string;
  readonly input?: string;
  readonly result?: string;
}

/** Names of elements by their refs, as far as the agent has seen them in this turn. */
export type RefNames = ReadonlyMap<string, string>;

const OWN_TOOL =
  /^(?:debug-bridge: |mcp__debug[-_]bridge__|debug[-_]bridge[./])?(\w+)(?: \(debug[-_]bridge MCP Server\))?$/;
const SEEN = /\b((?:f\d+)?e\d+) [a-z]+ "([^"\n]{1,80})"/g;
const FENCE = /^\[(?:page [0-9]{9}.*|end [0-9]{9})\]\n?/gm;

type Verb = readonly [running: string, done: string, failed: string];

const ACTIONS: Readonly<Record<string, Verb>> = {
  click: ["Clicking", "Clicked", "Could not click"],
  type: ["Typing into", "Typed into", "Could not type into"],
  press: ["Pressing", "Pressed", "Could not press"],
  select: ["Selecting in", "Selected in", "Could not select in"],
  hover: ["Pointing at", "Pointed at", "Could not point at"],
  scroll: ["Scrolling", "Scrolled", "Could not scroll"],
  drag: ["Dragging to", "Dragged to", "Could not drag to"],
  navigate: ["Opening", "Opened", "Could not open"],
  wait_for: ["Waiting for", "Waited for", "Did not see"],
  call_tool: ["Calling", "Called", "Could not call"],
};

const TOOLS: Readonly<Record<string, Verb>> = {
  observe: ["Looking at the page", "Looked at the page", "Could not look at the page"],
  find: ["Searching the page", "Searched the page", "Could not search the page"],
  sessions: ["Looking for open pages", "Looked for open pages", "Could not list open pages"],
  logs: ["Reading the console", "Read the console", "Could not read the console"],
  screenshot: ["Taking a screenshot", "Took a screenshot", "Could not take a screenshot"],
  eval: ["Running code in the page", "Ran code in the page", "Code in the page failed"],
  execute: ["Running a script", "Ran a script", "The script failed"],
  why: ["Looking for the cause", "Looked for the cause", "Could not find the cause"],
};

/** The names of elements that steps of a turn have mentioned. */
export function refNames({ parts }: Turn): RefNames {
  const names = new Map<string, string>();
  for (const part of parts)
    if (part.kind === "step")
      for (const [, ref = "", name = ""] of (part.step.detail ?? "").matchAll(SEEN)) names.set(ref, name);
  return names;
}

export function stepWords(step: RunStep, names: RefNames = new Map()): StepWords {
  if (step.kind === "command") return { title: `Ran ${step.title}`, effects: "", ...resultOf(step.detail) };
  if (step.kind === "agent") return { title: capitalized(step.title), effects: "" };
  if (step.kind !== "tool") return { title: capitalized(step.title), effects: "", ...resultOf(step.detail) };
  const [, tool] = OWN_TOOL.exec(step.title) ?? [];
  const { input, result } = splitDetail(step.detail ?? "");
  const title = titleOf(step, tool, input, names);
  return {
    title,
    effects: effectsOf(result),
    ...(input ? { input: JSON.stringify(input, null, 2) } : {}),
    ...resultOf(result),
  };
}

type Input = Readonly<Record<string, unknown>>;

function titleOf(step: RunStep, tool: string | undefined, input: Input | undefined, names: RefNames): string {
  const form = step.status === "running" ? 0 : step.status === "done" ? 1 : 2;
  const action = tool === "act" ? ACTIONS[String(input?.type)] : undefined;
  if (action && input) return `${action[form]} ${objectOf(input, names)}`.trim();
  const verb = tool === undefined ? undefined : TOOLS[tool];
  if (verb) return verb[form];
  if (tool === "act")
    return ["Acting in the page", "Acted in the page", "Could not act in the page"][form] as string;
  return step.title;
}

/** What an action was about: the name of its element, a key, an address. */
function objectOf(input: Input, names: RefNames): string {
  if (input.type === "press" && typeof input.key === "string") return input.key;
  if (input.type === "navigate" || input.type === "call_tool") return text(input.url ?? input.name);
  const target = Object(input.target ?? {}) as Input;
  const ref = text(target.ref);
  const name = text(target.name ?? target.text) || names.get(ref) || ref;
  return name || text(target.selector ?? target.id ?? input.text ?? input.url ?? target.role) || "the page";
}

function effectsOf(result: string): string {
  const lines = result.split("\n");
  const count = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length;
  const requests = count(/^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S+ /);
  const errors = count(/^(?:error: |console\.error: )/);
  return [requests > 0 ? plural(requests, "request") : "", errors > 0 ? plural(errors, "error") : ""]
    .filter(Boolean)
    .join(", ");
}

/** The details of a tool call are its input as JSON on the first line, then its result. */
function splitDetail(detail: string): { input?: Input; result: string } {
  const end = detail.indexOf("\n");
  const first = end === -1 ? detail : detail.slice(0, end);
  try {
    const input: unknown = JSON.parse(first);
    if (typeof input === "object" && input !== null)
      return { input: input as Input, result: withoutFence(end === -1 ? "" : detail.slice(end + 1)) };
  } catch {
    // All of it is the result.
  }
  return { result: withoutFence(detail) };
}

const withoutFence = (detail: string): string => detail.replace(FENCE, "").trim();
const resultOf = (detail: string | undefined): { result?: string } => (detail ? { result: detail } : {});
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const capitalized = (title: string): string => title.charAt(0).toUpperCase() + title.slice(1);
