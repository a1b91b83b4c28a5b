import { IconButton } from "@debug-bridge/ui/components/icon-button.js";
import { Share } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { TimelineAddress } from "../data/timeline-reader.js";
import type { DashboardApi } from "../hub/dashboard-api.js";
import type { Route } from "../layout/route.js";
import { ShareDialog } from "./share-dialog.js";

interface Props {
  readonly client: DashboardApi;
  readonly timeline: TimelineAddress;
  readonly route: Route;
}

/** Saves the timeline as one file that opens without a hub. */
export function ShareButton({ client, timeline, route }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label="Share as a file" onClick={() => setOpen(true)} icon={<Share aria-hidden />} />
      {isOpen && <ShareDialog {...{ client, timeline, route }} onClose={() => setOpen(false)} />}
    </>
  );
}
