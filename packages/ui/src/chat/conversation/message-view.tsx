import type { PickedElement } from "@debug-bridge/protocol";
import { Crosshair } from "lucide-react";
import type { ReactNode } from "react";
import { Thumbnails } from "../../pictures/thumbnail.js";
import type { Turn } from "../../state/turns.js";
import { exactTime, timeAgo } from "../../text/time.js";
import { visibleText } from "../../text/visible-text.js";

/** What the person said, and what they showed with it. */
export function MessageView({ turn }: { readonly turn: Turn }): ReactNode {
  const { message, startedAt, images, element } = turn;
  if (message === undefined) return null;
  return (
    <section className="message" aria-label="You">
      <div className="said">
        <p dir="auto">{message}</p>
        <time dateTime={startedAt} title={exactTime(startedAt)}>
          {timeAgo(startedAt)}
        </time>
      </div>
      {element && <ElementChip element={element} />}
      {images && images.length > 0 && <Thumbnails images={images} label="sent with the message" />}
    </section>
  );
}

interface ChipProps {
  readonly element: Pick<PickedElement, "ref" | "name" | "source">;
  readonly children?: ReactNode;
}

/** An element of a page: its name, its ref, and where it comes from. */
export function ElementChip({ element: { ref, name, source }, children }: ChipProps): ReactNode {
  return (
    <span className="chip" title={source && visibleText(source)}>
      <Crosshair aria-hidden />
      <span className="hidden-text">Element</span>
      <bdi className="name">{visibleText(name) || "element"}</bdi>
      <code>{ref}</code>
      {source !== undefined && <code className="source">{shortSource(visibleText(source))}</code>}
      {children}
    </span>
  );
}

/** The end of a path says most. */
const shortSource = (source: string): string => source.split("/").slice(-2).join("/");
