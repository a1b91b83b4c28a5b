import type { FoundPlace } from "./code-places.js";
import type { TemplatePiece } from "./frameworks/forms.js";
import type { ServedFile } from "./served-files.js";
import { type TemplateLiteral, templateLiterals } from "./template-literals.js";

interface Found {
  readonly literal: TemplateLiteral;
  readonly content: string;
  readonly source: string;
  readonly base: string;
}

const literalsOf = new WeakMap<readonly ServedFile[], Map<string, Found[]>>();

/** Where an element of a template was written, if exactly one template of all files is like it. */
export function placeOfTemplate(
  { signature, nth }: TemplatePiece,
  scripts: readonly ServedFile[],
): FoundPlace | undefined {
  const literals = literalsOf.get(scripts) ?? literalsIn(scripts);
  literalsOf.set(scripts, literals);
  const [found, another] = literals.get(signature) ?? [];
  const element = found?.literal.elements?.[nth];
  if (!found || another || !element) return undefined;
  const { content, source, base } = found;
  const before = content.slice(0, element.at);
  const line = before.split("\n").length;
  return { base, source, content, line, column: before.length - (before.lastIndexOf("\n") + 1) };
}

function literalsIn(scripts: readonly ServedFile[]): Map<string, Found[]> {
  const bySignature = new Map<string, Found[]>();
  for (const { url, text, map } of scripts)
    for (const { source, content } of map ? map.files() : [{ source: url, content: text }]) {
      if (content === undefined || /\/node_modules\//.test(source)) continue;
      for (const literal of templateLiterals(content)) {
        const alike = bySignature.get(literal.signature) ?? [];
        bySignature.set(literal.signature, alike);
        alike.push({ literal, content, source, base: url });
      }
    }
  return bySignature;
}
