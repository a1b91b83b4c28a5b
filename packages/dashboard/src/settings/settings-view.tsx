import type { HubBrowsers, HubSettings } from "@debug-bridge/protocol";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import type { DashboardApi } from "../hub/dashboard-api.js";
import type { HubState } from "../hub/hub-state.js";
import type { Navigate } from "../layout/route.js";
import { BrowserTable } from "./browser-table.js";
import { EditorChoice } from "./editor-choice.js";
import { HubTable } from "./hub-table.js";
import { LeaseTable } from "./lease-table.js";
import { PriceTable } from "./price-table.js";
import { SharedTabs } from "./shared-tabs.js";

interface Props {
  readonly client: DashboardApi;
  readonly hub: HubState;
  readonly navigate: Navigate;
}

const REFRESH_MS = 3_000;

/** What is shared and allowed, who may act, and which hubs and browsers there are. What can be changed is said where it is. */
export function SettingsView({ client, hub, navigate }: Props): ReactNode {
  const [settings, setSettings] = useState<HubSettings>();
  const [browsers, setBrowsers] = useState<readonly HubBrowsers[]>();
  const [problem, setProblem] = useState<string>();
  const read = useCallback(
    (signal: AbortSignal) => {
      const failed = (thrown: Error): void => {
        if (!signal.aborted) setProblem(thrown.message);
      };
      // All hubs of the bus are asked for theirs: a slow one does not hold up the settings of this hub.
      client.browsers(signal).then(({ hubs }) => setBrowsers(hubs), failed);
      return client.settings(signal).then((found) => {
        setSettings(found);
        setProblem(undefined);
      }, failed);
    },
    [client],
  );
  useEffect(() => {
    const controller = new AbortController();
    const again = (): void => {
      if (document.visibilityState === "visible") void read(controller.signal);
    };
    again();
    const timer = setInterval(again, REFRESH_MS);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [read]);
  const change = async (session: string, type: "acquire_lease" | "release_lease"): Promise<void> => {
    try {
      await client.command(session, { type, ...(type === "acquire_lease" ? { owner: "dashboard" } : {}) });
      await read(new AbortController().signal);
    } catch (thrown) {
      setProblem((thrown as Error).message);
    }
  };
  return (
    <main className="home settings">
      <h2>Settings</h2>
      {problem !== undefined && (
        <p className="error" role="alert">
          {visibleText(problem)}
        </p>
      )}
      <EditorChoice />
      {settings && (
        <>
          <SharedTabs settings={settings} />
          <LeaseTable
            {...{ settings, hub, navigate }}
            onChange={(session, type) => void change(session, type)}
          />
          <HubTable settings={settings} />
          {browsers && <BrowserTable {...{ hubs: browsers, sessions: hub.sessions, navigate }} />}
          <PriceTable />
        </>
      )}
    </main>
  );
}
