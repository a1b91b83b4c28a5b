import { KeysDialog, useShortcuts } from "@debug-bridge/ui/components/keys.js";
import { storeToken } from "@debug-bridge/ui/page-token";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { CompareView } from "./agent/compare-view.js";
import { AboutFile } from "./file/about-file.js";
import { DropTarget } from "./file/drop-target.js";
import { OpenFile } from "./file/open-file.js";
import { useOpenedFiles } from "./file/use-opened-files.js";
import { Home } from "./home/home.js";
import { DashboardApi } from "./hub/dashboard-api.js";
import { useHub } from "./hub/use-hub.js";
import { useRecordingSummary } from "./hub/use-recording-summary.js";
import { Banners } from "./layout/banners.js";
import { KEYS } from "./layout/keys.js";
import { Palette } from "./layout/palette.js";
import { parseRoute, useRoute } from "./layout/route.js";
import { useTheme } from "./layout/theme.js";
import { TokenForm } from "./layout/token-form.js";
import { TopBar } from "./layout/top-bar.js";
import { sessionName } from "./session/session-name.js";
import { SessionView } from "./session/session-view.js";
import { SettingsView } from "./settings/settings-view.js";

/** The dashboard: all sessions, or one of them. */
export function App({ givenToken }: { readonly givenToken: string | undefined }): ReactNode {
  const [token, setToken] = useState(givenToken);
  const client = useMemo(() => new DashboardApi(token), [token]);
  const hub = useHub(client);
  const [fragment, navigate] = useRoute();
  const route = useMemo(() => parseRoute(fragment), [fragment]);
  const [theme, nextTheme] = useTheme();
  const [areKeysShown, setKeysShown] = useState(false);
  const [isPaletteShown, setPaletteShown] = useState(false);
  const showKeys = useCallback(() => setKeysShown(true), []);
  const showPalette = useCallback(() => setPaletteShown(true), []);
  useShortcuts(showPalette, showKeys);

  const { timeline } = route;
  const session = timeline?.kind === "session" ? hub.sessions.get(timeline.id) : undefined;
  const files = useOpenedFiles(navigate);
  const file = timeline?.kind === "file" ? files.opened.get(timeline.id) : undefined;
  const recording = useRecordingSummary(client, timeline);
  const title = file?.title ?? recording?.name;
  const name = timeline && (title ?? (session ? sessionName(session) : timeline.id));
  useEffect(() => {
    document.title = name === undefined ? "Debug Bridge" : `${visibleText(name)} – Debug Bridge`;
  }, [name]);

  const onToken = (given: string): void => {
    storeToken(given);
    setToken(given);
  };
  const isRefused = hub.connection === "refused";
  return (
    <div className="dashboard" data-connection={hub.connection}>
      <TopBar
        {...{ hub, title, session, timeline, theme, navigate }}
        onTheme={nextTheme}
        onKeys={showKeys}
        onPalette={showPalette}
      >
        {file && <AboutFile file={file} />}
      </TopBar>
      <Banners hub={hub} />
      {isRefused && <TokenForm wasGiven={token !== undefined} problem={hub.problem} onToken={onToken} />}
      {file && timeline && (
        <SessionView
          key={timeline.id}
          reader={file}
          kind={file.contents?.kind}
          {...{ timeline, route, navigate }}
        />
      )}
      {timeline?.kind === "file" && !file && (
        <p className="state">
          This file is no longer open in this page. Go to the first page and open it again.
        </p>
      )}
      {!isRefused && timeline && route.comparedWith !== undefined && (
        <CompareView reader={client} first={timeline} second={route.comparedWith} {...{ route, navigate }} />
      )}
      {!isRefused && timeline && timeline.kind !== "file" && route.comparedWith === undefined && (
        <SessionView
          key={`${timeline.kind} ${timeline.id}`}
          reader={client}
          kind={session?.kind ?? recording?.kind}
          live={{ client, hub, session }}
          {...{ timeline, route, navigate }}
        />
      )}
      {!isRefused && route.view === "settings" && <SettingsView {...{ client, hub, navigate }} />}
      {!isRefused && !timeline && route.view === undefined && (
        <Home {...{ client, hub, navigate }}>
          <OpenFile {...files} />
        </Home>
      )}
      <DropTarget onFiles={files.open} />
      {areKeysShown && <KeysDialog keys={KEYS} onClose={() => setKeysShown(false)} />}
      {isPaletteShown && (
        <Palette
          {...{ client, hub, route, navigate }}
          onTheme={nextTheme}
          onKeys={showKeys}
          onClose={() => setPaletteShown(false)}
        />
      )}
    </div>
  );
}
