import type { ReactNode } from "react";
import type { DashboardApi } from "../hub/dashboard-api.js";
import { FrameView } from "./frame-view.js";
import { ReplayView } from "./replay/replay-view.js";
import { useFrame, useLiveFrames } from "./use-frame.js";

interface Props {
  readonly client: DashboardApi;
  readonly session: string;
  /** The moment that is shown; now when left out. */
  readonly at: number | undefined;
}

/** What the page shows, or what it showed at the selected moment. Screenshots are taken as long as this is there. */
export function Picture({ client, session, at }: Props): ReactNode {
  const newest = useLiveFrames(client, session);
  const frame = useFrame(client, { kind: "session", id: session }, at, newest);
  return <FrameView frame={frame === null && at === undefined ? undefined : frame} at={at} />;
}

/** The same for an app with the SDK, from the changes of its DOM. */
export function LiveReplay({ client, session, at }: Props): ReactNode {
  const newest = useLiveFrames(client, session);
  return (
    <ReplayView {...{ at, newest }} reader={client} timeline={{ kind: "session", id: session }} isLive />
  );
}
