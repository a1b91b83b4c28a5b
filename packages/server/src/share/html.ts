import { createHash } from "node:crypto";
import { asEmbedded, PART_END, partStart, type SharedPart } from "@debug-bridge/protocol/timeline";
import type { Collected } from "./collect.js";

/** The program that shows a shared file. */
export interface SharedProgram {
  readonly script: string;
  readonly style: string;
  /** The player, for a file that has a replay. */
  readonly replay: string;
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** One page that needs no server and asks for nothing: its policy allows its own script and style, by their hashes. */
export function sharedHtml(
  { contents, records, code, files, replay }: Collected,
  program: SharedProgram,
): string {
  // Neither the end of the element nor the start of a comment may be in the script; in a string, `<\/` means the same.
  const scripts = [...(replay.length > 0 ? [program.replay] : []), program.script].map((script) =>
    script.replaceAll(/<\/(script)/gi, "<\\/$1").replaceAll("<!--", "<\\!--"),
  );
  const style = program.style.replaceAll(/<\/(style)/gi, "<\\/$1");
  const policy = `default-src 'none'; script-src ${scripts.map(hashOf).join(" ")}; style-src ${hashOf(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'`;
  const part = (name: SharedPart, lines: readonly string[]): string[] => [
    partStart(name),
    ...lines,
    PART_END,
  ];
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    "<title>Debug Bridge</title>",
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    "<noscript>This file shows a recording of Debug Bridge. Allow scripts for it to see the recording.</noscript>",
    ...part("contents", [asEmbedded(JSON.stringify(contents))]),
    ...part("code", code),
    ...part("records", records),
    ...part("files", files),
    ...part("replay", replay),
    '<div id="root"></div>',
    ...scripts.map((script) => `<script>${script}</script>`),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}
