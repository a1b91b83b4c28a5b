import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

/** A piece of code, and what it is: `keyword`, `string`. */
export interface CodePiece {
  readonly text: string;
  readonly kind?: string;
}

const lowlight = createLowlight({ bash, css, diff, json, python, typescript, xml, yaml });
lowlight.registerAlias({
  bash: ["sh", "shell", "zsh", "console"],
  typescript: ["ts", "tsx", "js", "jsx", "javascript", "mjs"],
  xml: ["html", "svg", "vue", "svelte"],
  python: ["py"],
  yaml: ["yml"],
});

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
  readonly properties?: { readonly className?: unknown };
}

/** Code beyond these limits has no colours: the time to find them can grow with the square of a word's length. */
const MAX_LENGTH = 20_000;
const MAX_WORD = 500;
const LONG_WORD = new RegExp(`[\\w$]{${MAX_WORD}}|\\s{${MAX_WORD}}`);

/** Whether colours can be found in bounded time. */
function canHighlight(code: string, language: string): boolean {
  return code.length <= MAX_LENGTH && lowlight.registered(language) && !LONG_WORD.test(code);
}

/** The pieces of code in a language; undefined when it cannot be read. Joined, they are the code. */
export function highlight(code: string, language: string): readonly CodePiece[] | undefined {
  if (!canHighlight(code, language)) return undefined;
  try {
    return pieces(code, language);
  } catch {
    // Code that nests too deeply.
    return undefined;
  }
}

function pieces(code: string, language: string): readonly CodePiece[] {
  const found: CodePiece[] = [];
  const visit = (node: Node, kind: string | undefined): void => {
    if (node.value !== undefined) found.push({ text: node.value, ...(kind === undefined ? {} : { kind }) });
    const [name] = Array.isArray(node.properties?.className) ? node.properties.className : [];
    const own = typeof name === "string" ? name.replace(/^hljs-/, "") : kind;
    for (const child of node.children ?? []) visit(child, own);
  };
  visit(lowlight.highlight(language, code) as Node, undefined);
  return found;
}
