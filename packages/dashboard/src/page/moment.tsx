import type { ReactNode } from "react";
import { exactClockTime } from "../session/clock.js";
import type { ChangedBox } from "./changed-boxes.js";

interface Props {
  readonly title: string;
  readonly at: number;
  readonly children: ReactNode;
}

/** What a page looked like, with its time. */
export function Moment({ title, at, children }: Props): ReactNode {
  return (
    <figure className="picture">
      {children}
      <figcaption className="quiet">
        {title}, {exactClockTime(at)}
      </figcaption>
    </figure>
  );
}

/** Boxes on top of what a page looked like. */
export function ChangedBoxes({ boxes }: { readonly boxes: readonly ChangedBox[] }): ReactNode {
  const percent = (part: number): string => `${part * 100}%`;
  return boxes.map(({ left, top, width, height }) => (
    <span
      key={`${left} ${top} ${width} ${height}`}
      className="changed-box"
      title="This part changed"
      style={{
        ...{ left: percent(left), top: percent(top) },
        ...{ width: percent(width), height: percent(height) },
      }}
    />
  ));
}
