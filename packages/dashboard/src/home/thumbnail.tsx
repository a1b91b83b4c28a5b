import type { ReactNode } from "react";
import type { DashboardApi } from "../hub/dashboard-api.js";
import { useFrame } from "../page/use-frame.js";
import { usePicture } from "../page/use-picture.js";

interface Props {
  readonly client: DashboardApi;
  readonly session: string;
  readonly ticks: number;
}

/** A small picture of a launched Chrome, taken while somebody looks at the list. */
export function LiveThumbnail(props: Props): ReactNode {
  return <Thumbnail url={usePicture(props).url} />;
}

/** The newest picture of a tab, if it has one: looking at the list does not attach Chrome's debugger to it. */
export function KeptThumbnail({ client, session, ticks }: Props): ReactNode {
  const frame = useFrame(client, { kind: "session", id: session }, undefined, ticks);
  return frame ? <Thumbnail url={frame.url} /> : null;
}

function Thumbnail({ url }: { readonly url: string | undefined }): ReactNode {
  return (
    <span className="thumbnail">{url !== undefined && <img src={url} alt="What the page shows" />}</span>
  );
}
