import { type ChatMeta, stripControlCharacters } from "@debug-bridge/protocol";
import type { Turn } from "../runs/turns.js";

const ENDINGS = {
  failed: "The run failed.",
  person: "Stopped by the person.",
  interrupted: "Interrupted: the hub ended during this run.",
} as const;

/** A chat as Markdown. What people and agents wrote stays as it is; inputs and results of steps are code. */
export function chatMarkdown(meta: ChatMeta, turns: readonly Turn[]): string {
  const head = [`# ${oneLine(meta.title) || "Untitled chat"}`, "", `${meta.provider}, ${meta.created}`];
  const body = turns.flatMap((turn) => ["", ...turnLines(turn)]);
  return stripControlCharacters(`${[...head, ...body].join("\n")}\n`);
}

function turnLines(turn: Turn): string[] {
  const lines = [
    `## Person, ${turn.startedAt}`,
    "",
    quoted(turn.message),
    "",
    `## ${oneLine(turn.provider)}`,
  ];
  for (const part of turn.parts) {
    lines.push("");
    if ("text" in part) lines.push(plain(part.text).trim());
    else {
      const { title, status, detail, images = [] } = part.step;
      const pictures = images.length === 0 ? "" : ` (pictures: ${images.length})`;
      lines.push(`- ${oneLine(title)}${status === "done" ? "" : ` (${status})`}${pictures}`);
      if (detail !== undefined && detail !== "") lines.push("", codeBlock(detail));
    }
  }
  for (const error of turn.errors) lines.push("", `**Error:** ${oneLine(error)}`);
  if (turn.ended === undefined) lines.push("", "*Still running.*");
  else if (turn.ended !== "done") lines.push("", `*${ENDINGS[turn.ended]}*`);
  return lines;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** A carriage return would let a text overwrite its own line on a terminal. */
const plain = (text: string): string => text.replace(/\r\n?/g, "\n");

const quoted = (text: string): string =>
  plain(text)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");

/** The fence is longer than any run of backticks inside, so that the text cannot end it. */
function codeBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${plain(text)}\n${fence}`;
}
