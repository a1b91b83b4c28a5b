import type { CodePiece } from "./frameworks/forms.js";
import type { ServedFile } from "./served-files.js";
import type { WrittenPlace } from "./source-map.js";

/** A place in a file that was written, with the address that the file's name is relative to. */
export interface FoundPlace extends WrittenPlace {
  readonly base: string;
}

/** Where a piece of code was written, if exactly one place of all scripts has it. */
export function placeOfCode(piece: CodePiece, scripts: readonly ServedFile[]): FoundPlace | undefined {
  let found: { readonly file: ServedFile; readonly at: number } | undefined;
  for (const file of scripts)
    for (let at = file.text.indexOf(piece.start); at >= 0; at = file.text.indexOf(piece.start, at + 1)) {
      const end = at + piece.length;
      if (file.text.slice(end - piece.end.length, end) !== piece.end) continue;
      if (found) return undefined;
      found = { file, at };
    }
  return found && written(found.file, found.at, piece);
}

function written({ url, text, map }: ServedFile, at: number, piece: CodePiece): FoundPlace | undefined {
  const before = text.slice(0, at + piece.offset);
  const line = before.split("\n").length;
  const column = before.length - (before.lastIndexOf("\n") + 1);
  if (!map) return { base: url, source: url, line, column, content: text };
  const place = map.find(line, column);
  if (!place) return undefined;
  const exact = piece.tag ? elementFrom(place, piece.tag) : beginsAlike(place, piece.start) && place;
  return exact ? { ...exact, base: url } : undefined;
}

/**
 * The element that begins at a place, or next after it: calls for elements that follow each other are one expression, and the map leads
 * from the second one to where the first one ends.
 */
function elementFrom(place: WrittenPlace, tag: string): WrittenPlace | undefined {
  const lines = place.content?.split("\n") ?? [];
  const rest = [lines[place.line - 1]?.slice(place.column), ...lines.slice(place.line)].join("\n");
  const [between = ""] = /^(?:\s|<!--[\s\S]*?-->)*/.exec(rest) ?? [];
  const [, name] = /^<([^\s/>]+)/.exec(rest.slice(between.length)) ?? [];
  if (name?.toLowerCase() !== tag) return undefined;
  const skipped = between.split("\n");
  const column = (skipped.length > 1 ? 0 : place.column) + (skipped.at(-1) as string).length;
  return { ...place, line: place.line + skipped.length - 1, column };
}

/** Whether the file that was written has the function there: the rest of its line has the first word, or sign, of it. */
function beginsAlike({ content, line, column }: WrittenPlace, start: string): boolean {
  const there = content?.split("\n")[line - 1]?.slice(column) ?? "";
  const [first = ""] = start.split("\n", 1);
  const word = /[\w$]+/.exec(first)?.[0];
  if (word === undefined) return there.includes(first.slice(0, 1));
  return there.split(/[^\w$]+/).includes(word);
}
