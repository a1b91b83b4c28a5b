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

/** The pieces of code in a language; undefined when the language is not known. Joined, they are the code. */
export function highlight(code: string, language: string): readonly CodePiece[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  const pieces: CodePiece[] = [];
  const visit = (node: Node, kind: string | undefined): void => {
    if (node.value !== undefined) pieces.push({ text: node.value, ...(kind === undefined ? {} : { kind }) });
    const [name] = Array.isArray(node.properties?.className) ? node.properties.className : [];
    const own = typeof name === "string" ? name.replace(/^hljs-/, "") : kind;
    for (const child of node.children ?? []) visit(child, own);
  };
  visit(lowlight.highlight(language, code) as Node, undefined);
  return pieces;
}
