import type { SharedContents } from "@debug-bridge/protocol/timeline";
import { Modal } from "@debug-bridge/ui/components/modal.js";
import { saveFile } from "@debug-bridge/ui/components/save-file.js";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { TimelineAddress } from "../data/timeline-reader.js";
import type { DashboardApi } from "../hub/dashboard-api.js";
import type { Route } from "../layout/route.js";
import { clockTime } from "../session/clock.js";
import { ContentsList } from "./contents-list.js";

interface Props {
  readonly client: DashboardApi;
  readonly timeline: TimelineAddress;
  readonly route: Route;
  onClose(): void;
}

type State =
  | { readonly kind: "reading" }
  | { readonly kind: "read"; readonly contents: SharedContents }
  | { readonly kind: "failed"; readonly message: string };

/** Shows what would be in the file before it is saved. */
export function ShareDialog({ client, timeline, route, onClose }: Props): ReactNode {
  const { from, to } = route;
  const hasStretch = from !== undefined || to !== undefined;
  const [isPart, setPart] = useState(hasStretch);
  const [isSaving, setSaving] = useState(false);
  const stretch = useMemo(() => stretchQuery(isPart ? { from, to } : {}), [isPart, from, to]);
  const [state, setState] = useContents(client, timeline, stretch);
  const save = async (name: string): Promise<void> => {
    setSaving(true);
    try {
      saveFile(
        `${name.replaceAll(/[^\w.-]+/g, "_")}.html`,
        await client.share(timeline, stretch),
        "text/html",
      );
      onClose();
    } catch (thrown) {
      setState({ kind: "failed", message: (thrown as Error).message });
      setSaving(false);
    }
  };
  return (
    <Modal className="share" title="Share as a file" onClose={onClose}>
      <p>
        One HTML file that opens in any browser, without a hub and without the network. Look at what is in it
        before you send it to somebody.
      </p>
      {hasStretch && (
        <label className="check">
          <input type="checkbox" checked={isPart} onChange={(event) => setPart(event.target.checked)} />
          Only the selected stretch, {clockTime(from ?? 0)} to {clockTime(to ?? 0)}
        </label>
      )}
      {state.kind === "failed" && (
        <p className="error" role="alert">
          {visibleText(state.message)}
        </p>
      )}
      {state.kind === "reading" && <p role="status">Reading…</p>}
      {state.kind === "read" && (
        <>
          <ContentsList contents={state.contents} />
          <p className="buttons">
            <button
              type="button"
              className="primary"
              disabled={isSaving || state.contents.records === 0}
              onClick={() => void save(state.contents.name)}
            >
              {isSaving ? "Saving…" : "Save the file"}
            </button>
          </p>
        </>
      )}
    </Modal>
  );
}

function stretchQuery(stretch: {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(stretch))
    if (value !== undefined) query.set(name, String(value));
  return query;
}

function useContents(
  client: DashboardApi,
  { kind, id }: TimelineAddress,
  stretch: URLSearchParams,
): [State, (state: State) => void] {
  const [state, setState] = useState<State>({ kind: "reading" });
  useEffect(() => {
    const controller = new AbortController();
    setState({ kind: "reading" });
    client.sharedContents({ kind, id }, stretch, controller.signal).then(
      (contents) => setState({ kind: "read", contents }),
      (thrown: Error) => {
        if (!controller.signal.aborted) setState({ kind: "failed", message: thrown.message });
      },
    );
    return () => controller.abort();
  }, [client, kind, id, stretch]);
  return [state, setState];
}
