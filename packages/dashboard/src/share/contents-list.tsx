import type { SharedContents } from "@debug-bridge/protocol/timeline";
import { exactTime } from "@debug-bridge/ui/text/time.js";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import type { ReactNode } from "react";
import { Facts } from "../details/section.js";
import { clockTime, durationText, sizeText } from "../session/clock.js";
import { KIND_NAMES } from "../session/filter/filter.js";

/** What is in a shared file, for the one who saves it and for the one who opens it. */
export function ContentsList({ contents }: { readonly contents: SharedContents }): ReactNode {
  const { name, kind, from, to, isPart, records, kinds, bodies, code, files, replay, masked, leftOut, size } =
    contents;
  const counted = KIND_NAMES.filter(([each]) => (kinds[each] ?? 0) > 0)
    .map(([each, title]) => `${title} ${(kinds[each] ?? 0).toLocaleString("en")}`)
    .join(", ");
  return (
    <div className="contents-list">
      <Facts
        facts={[
          ["Name", name],
          ["Kind", kind],
          [
            "Time",
            records === 0
              ? undefined
              : `${clockTime(from)} to ${clockTime(to)}, ${durationText(to - from)}${isPart ? ", a part of it" : ""}`,
          ],
          ["Saved", contents.savedAt === "" ? undefined : exactTime(contents.savedAt)],
          ["Records", `${records.toLocaleString("en")}${counted === "" ? "" : `: ${counted}`}`],
          ["Bodies", bodies === 0 ? "none" : `${bodies} of requests and answers`],
          ["Code", code === 0 ? "none" : `around ${code} ${code === 1 ? "place" : "places"} of stacks`],
          [
            "Replay",
            replay
              ? `of the page, ${clockTime(replay.from)} to ${clockTime(replay.to)}, masked as it was recorded`
              : "none",
          ],
          ["Pictures", files === 0 ? "none" : `${files}. What they show is not masked.`],
          ["Masked", `${masked} values that are secret by their name or form`],
          ["Size", sizeText(size)],
        ]}
      />
      {leftOut.map((each) => (
        <p key={each} className="warn">
          Left out: {visibleText(each)}
        </p>
      ))}
    </div>
  );
}
