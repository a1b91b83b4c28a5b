import { BridgeError, type Command, type Target } from "@debug-bridge/protocol";
import type { EngineLink } from "../engine/engine-link.js";
import type { LiveDocument } from "../navigation/documents.js";
import type { ForeignFrame } from "./foreign-frame.js";
import type { Frames } from "./frames.js";
import { inTime } from "./in-time.js";

interface Page {
  readonly engine: EngineLink;
  readonly document: LiveDocument;
}

/** The frame that a command is about; `undefined` for the page itself. Like the engines themselves, it never guesses. */
export async function frameFor(
  frames: Frames,
  page: Page,
  command: Command,
): Promise<ForeignFrame | undefined> {
  const { target, source } = command as { target?: Target; source?: Target };
  const found = await Promise.all(
    [source, target].filter((each) => each !== undefined).map((each) => frameOf(frames, page, each)),
  );
  if (new Set(found).size > 1)
    throw new BridgeError(
      "not_supported",
      "source and target are in different frames; drag along a path of points instead. Nothing was done",
    );
  return found[0];
}

async function frameOf(frames: Frames, page: Page, target: Target): Promise<ForeignFrame | undefined> {
  if (target.ref !== undefined) return frames.ofRef(target);
  const { point, ...named } = target;
  if (Object.values(named).every((value) => value === undefined)) return undefined;
  const text = JSON.stringify(target);
  const places = [undefined, ...frames.all];
  const codes = await Promise.all(
    places.map((frame) =>
      frame
        ? inTime(frame.host.engine.call(frame.document, "locate", text)).catch(() => "gone")
        : page.engine.call(page.document, "locate", text),
    ),
  );
  const having = places.filter((_, index) => codes[index] === "found" || codes[index] === "ambiguous_target");
  if (having.length <= 1) return having[0];
  const where = having.map((frame) => (frame ? `the frame ${frame.name}` : "the page itself")).join(" and ");
  throw new BridgeError(
    "ambiguous_target",
    `${where} have an element that matches. Nothing was done; name one by its ref`,
    { candidates: [] },
  );
}
