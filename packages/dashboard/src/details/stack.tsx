import { parseFrame, type SourceExcerpt, servedNote, stackFrames } from "@debug-bridge/protocol";
import { CopyButton } from "@debug-bridge/ui/components/copy-button.js";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useEffect, useState } from "react";
import type { TimelineAddress, TimelineReader } from "../data/timeline-reader.js";
import { EditorLink } from "../editor/editor-link.js";
import { fileName } from "../session/records/row-view.js";
import { Section } from "./section.js";

interface Props {
  readonly stack: string;
  readonly reader: TimelineReader;
  readonly timeline: TimelineAddress;
}

/** Frames whose code is shown without being asked for. */
const OPEN_FRAMES = 1;
/** Frames whose code is looked up at all. */
const MAX_FRAMES = 20;

/** The frames of a stack, each with the code around its place, as it was written. */
export function Stack({ stack, reader, timeline }: Props): ReactNode {
  return (
    <Section title="Stack" button={<CopyButton label="Copy the stack" text={stack} />}>
      <ol className="stack">
        {stackFrames(stack).map((frame, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a recursion has the same frame twice
          <li key={`${index} ${frame}`}>
            <Frame
              frame={frame}
              reader={index < MAX_FRAMES ? reader : undefined}
              timeline={timeline}
              isOpen={index < OPEN_FRAMES}
            />
          </li>
        ))}
      </ol>
    </Section>
  );
}

interface FrameProps {
  readonly frame: string;
  /** Where the code can be read; without it, there is only the frame. */
  readonly reader: TimelineReader | undefined;
  readonly timeline: TimelineAddress;
  readonly isOpen: boolean;
}

function Frame({ frame, reader, timeline, isOpen }: FrameProps): ReactNode {
  const { name, url, line = 0, column = 0 } = parseFrame(frame);
  const code = useExcerpt(reader, timeline, url, line, column);
  if (url === undefined) return <code>{visibleText(frame)}</code>;
  const place = code ?? { url, line, column };
  const about = (
    <code title={visibleText(`${place.url}:${place.line}:${place.column}`)}>
      <span className="function">{visibleText(name)}</span>{" "}
      <span className="file">
        {visibleText(fileName(place.url))}:{place.line}:{place.column}
        {code && !code.isServed ? "" : servedNote(place.url)}
      </span>
    </code>
  );
  const link = reader && (
    <EditorLink {...{ reader, timeline }} at={place.url} line={place.line} column={place.column} />
  );
  return (
    <div className="stack-frame">
      {code ? (
        <details open={isOpen}>
          <summary>{about}</summary>
          <div className="source">
            {code.lines.map(({ number, text }) => (
              <div key={number} className={number === code.line ? "current" : undefined}>
                <span className="number">{number}</span>
                <span>{visibleText(text)}</span>
              </div>
            ))}
          </div>
        </details>
      ) : (
        about
      )}
      {link}
    </div>
  );
}

/** The code around a place; nothing when it cannot be read. */
function useExcerpt(
  reader: TimelineReader | undefined,
  { kind, id }: TimelineAddress,
  url: string | undefined,
  line: number,
  column: number,
): SourceExcerpt | undefined {
  const [excerpt, setExcerpt] = useState<SourceExcerpt>();
  useEffect(() => {
    if (!reader || url === undefined) return;
    const controller = new AbortController();
    reader.source({ kind, id }, { url, line, column }, controller.signal).then(setExcerpt, () => {});
    return () => controller.abort();
  }, [reader, kind, id, url, line, column]);
  return excerpt;
}
