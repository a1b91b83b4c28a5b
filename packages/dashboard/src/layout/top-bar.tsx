import type { SessionSummary } from "@debug-bridge/protocol";
import { IconButton } from "@debug-bridge/ui/components/icon-button.js";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { Keyboard, Moon, Search, Settings, Sun, SunMoon } from "lucide-react";
import type { ReactNode } from "react";
import type { TimelineAddress } from "../data/timeline-reader.js";
import type { HubState } from "../hub/hub-state.js";
import { accessText, hubOf, sessionName } from "../session/session-name.js";
import { formatRoute, type Navigate } from "./route.js";
import type { Theme } from "./theme.js";

interface Props {
  /** Without a hub, this is a file that was shared. */
  readonly hub?: HubState | undefined;
  /** What a file is called. */
  readonly title?: string | undefined;
  readonly session: SessionSummary | undefined;
  readonly timeline: TimelineAddress | undefined;
  readonly theme: Theme;
  /** How to go to the first page, if there is one. */
  readonly navigate?: Navigate;
  /** Further buttons. */
  readonly children?: ReactNode;
  onTheme(): void;
  onKeys(): void;
  onPalette?(): void;
}

const CONNECTION_TEXT: Record<HubState["connection"], string> = {
  connecting: "connecting…",
  live: "live",
  lost: "disconnected",
  refused: "no access",
};
const THEME_ICON: Record<Theme, ReactNode> = {
  system: <SunMoon aria-hidden />,
  light: <Sun aria-hidden />,
  dark: <Moon aria-hidden />,
};

/** Where one is, and what is always within reach. */
export function TopBar({
  hub,
  title,
  session,
  timeline,
  theme,
  navigate,
  children,
  onTheme,
  onKeys,
  onPalette,
}: Props): ReactNode {
  return (
    <header className="top-bar">
      {timeline ? (
        <HomeLink navigate={navigate} />
      ) : (
        <h1>
          <HomeLink navigate={navigate} />
        </h1>
      )}
      {timeline && <Place {...{ timeline, session, title, hub }} />}
      <span className="spacer" />
      {children}
      {hub && (
        <output className={`connection ${hub.connection}`}>
          <span className="dot" aria-hidden />
          {CONNECTION_TEXT[hub.connection]}
        </output>
      )}
      {onPalette && <IconButton label="Find (Ctrl+K)" onClick={onPalette} icon={<Search aria-hidden />} />}
      {hub && navigate && (
        <IconButton
          label="Settings"
          onClick={() => navigate({ view: "settings", text: "" })}
          icon={<Settings aria-hidden />}
        />
      )}
      <IconButton label={`Theme: ${theme}`} onClick={onTheme} icon={THEME_ICON[theme]} />
      <IconButton label="Keys (?)" onClick={onKeys} icon={<Keyboard aria-hidden />} />
    </header>
  );
}

function HomeLink({ navigate }: { readonly navigate: Navigate | undefined }): ReactNode {
  if (!navigate) return <span className="home-link">Debug Bridge</span>;
  return (
    <a
      className="home-link"
      href={formatRoute({ text: "" })}
      onClick={(event) => {
        event.preventDefault();
        navigate({ text: "" });
      }}
    >
      Debug Bridge
    </a>
  );
}

/** Which timeline is shown. */
function Place({
  timeline,
  session,
  title,
  hub,
}: Pick<Props, "session" | "title" | "hub"> & { readonly timeline: TimelineAddress }): ReactNode {
  const hubName = session && hub && hubOf(session, hub.sessions.values());
  return (
    <div className="place">
      <span aria-hidden>›</span>
      <h1>
        <bdi>{visibleText(title ?? (session ? sessionName(session) : timeline.id))}</bdi>
      </h1>
      <span className="tag">
        {timeline.kind === "session" ? (session?.kind ?? "session") : timeline.kind}
      </span>
      {hubName !== undefined && <span className="tag">on {visibleText(hubName)}</span>}
      {session?.url !== undefined && (
        <span className="quiet address" title={visibleText(session.url)}>
          {visibleText(session.url)}
        </span>
      )}
      {session?.access && <span className="tag">{accessText(session.access)}</span>}
      {session?.leaseOwner !== undefined && (
        <span className="tag agent">held by {visibleText(session.leaseOwner)}</span>
      )}
      {session && !session.connected && <span className="tag ended">ended</span>}
    </div>
  );
}
