import { AGENT_LINE_LIMITS } from "@debug-bridge/protocol";
import {
  PART_END,
  parseOrNothing,
  partStart,
  SHARED_PARTS,
  type SharedPart,
} from "@debug-bridge/protocol/timeline";
import { fieldsOf, textOf } from "../details/fields.js";
import { readFileLines } from "./read-lines.js";
import { RecordingFile } from "./recording-file.js";

/** A file that the person chose, with its path below the folder that they chose. */
export interface GivenFile {
  readonly path: string;
  readonly file: File;
}

/** Characters of one recording that are kept in this page. */
const MAX_KEPT = 256_000_000;
const MAX_ABOUT = 1_000_000;
const REPLAY = /(?:^|\/)replay\/(\d{1,15})\.(jsonl|end)$/;
const PICTURE = /(?:^|\/)(pictures\/\d{1,15}\.(?:jpg|png|webp|end))$/;

/**
 * Reads what the person gave: a folder of a recording, its `events.jsonl`, or a file that was shared. Nothing in it is
 * run; what is not a record is counted and left out.
 */
export async function readRecording(given: readonly GivenFile[]): Promise<RecordingFile> {
  const main =
    given.find(({ path }) => /(^|\/)events\.jsonl$/.test(path)) ??
    given.find(({ path }) => /\.(jsonl|ndjson|html?)$/i.test(path));
  if (!main)
    throw new Error(
      "There is no recording in it. Choose a shared .html file, a .jsonl file with records, or the folder of a recording with its events.jsonl.",
    );
  const recording = new RecordingFile(await nameOf(main, given));
  if (/\.html?$/i.test(main.path)) await readShared(main.file, recording);
  else await readRecords(main.file, recording);
  if (recording.count === 0)
    throw new Error(
      `${main.file.name} has no records that can be read${recording.isCut ? "; it is too large" : ""}.`,
    );
  for (const { path, file } of given) {
    const [, name] = PICTURE.exec(path) ?? [];
    if (name !== undefined) recording.files.set(name, file);
  }
  await readReplay(given, recording);
  return recording;
}

/** The replay in the folder of a recording: a file for each segment, with a list of events on each line. */
async function readReplay(given: readonly GivenFile[], { pageReplay }: RecordingFile): Promise<void> {
  const ends: number[] = [];
  let kept = 0;
  for (const { path, file } of given) {
    const [, at, extension] = REPLAY.exec(path) ?? [];
    if (extension === "end") ends.push(Number(at));
    kept += extension === "jsonl" ? file.size : 0;
    if (extension !== "jsonl" || kept > MAX_KEPT) continue;
    for await (const { text, isTooLong } of readFileLines(file, AGENT_LINE_LIMITS.bytes)) {
      const events = isTooLong ? undefined : parseOrNothing(text);
      if (Array.isArray(events)) pageReplay.add(Number(at), events);
    }
  }
  pageReplay.endAt(ends);
}

async function readRecords(file: File, recording: RecordingFile): Promise<void> {
  let kept = 0;
  for await (const { text, isTooLong } of readFileLines(file, AGENT_LINE_LIMITS.bytes)) {
    if (isTooLong) recording.skipped++;
    else recording.addLine("records", text);
    kept += text.length;
    if (kept > MAX_KEPT) {
      recording.isCut = true;
      return;
    }
  }
}

/** Only the blocks of data are read; the program that the file holds is not. */
async function readShared(file: File, recording: RecordingFile): Promise<void> {
  const starts = new Map<string, SharedPart>(SHARED_PARTS.map((part) => [partStart(part), part]));
  let part: SharedPart | undefined;
  let kept = 0;
  for await (const { text, isTooLong } of readFileLines(file, AGENT_LINE_LIMITS.bytes)) {
    const line = text.endsWith("\r") ? text.slice(0, -1) : text;
    if (part === undefined) part = starts.get(line);
    else if (line === PART_END) part = undefined;
    else if (isTooLong) recording.skipped++;
    else {
      recording.addLine(part, line);
      kept += line.length;
    }
    if (kept > MAX_KEPT) {
      recording.isCut = true;
      return;
    }
  }
}

/** What a folder's `session.json` calls it, else the name of the file. */
async function nameOf(main: GivenFile, given: readonly GivenFile[]): Promise<string> {
  const about = given.find(({ path }) => path === main.path.replace(/events\.jsonl$/, "session.json"));
  if (!about || about === main || about.file.size > MAX_ABOUT) return main.file.name;
  const { name } = fieldsOf(parseOrNothing(await about.file.text()));
  return textOf(name)?.slice(0, 200) || main.file.name;
}
