import { KeysDialog, useShortcuts } from "@debug-bridge/ui/components/keys.js";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { KEYS } from "../layout/keys.js";
import { parseRoute, useRoute } from "../layout/route.js";
import { useTheme } from "../layout/theme.js";
import { TopBar } from "../layout/top-bar.js";
import { SessionView } from "../session/session-view.js";
import { AboutFile } from "./about-file.js";
import type { RecordingFile } from "./recording-file.js";

const TIMELINE = { kind: "file", id: "this" } as const;
const nothing = (): void => {};

/** The dashboard of a file that was shared: its one recording, without a hub. */
export function SharedApp({ file }: { readonly file: RecordingFile }): ReactNode {
  const [fragment, navigate] = useRoute();
  const route = useMemo(() => {
    const asked = parseRoute(fragment);
    return { ...asked, timeline: TIMELINE };
  }, [fragment]);
  const [theme, nextTheme] = useTheme();
  const [areKeysShown, setKeysShown] = useState(false);
  const showKeys = useCallback(() => setKeysShown(true), []);
  useShortcuts(nothing, showKeys);
  useEffect(() => {
    document.title = `${visibleText(file.title)} – Debug Bridge`;
  }, [file]);
  return (
    <div className="dashboard">
      <TopBar
        {...{ theme, title: file.title, timeline: TIMELINE, session: undefined }}
        onTheme={nextTheme}
        onKeys={showKeys}
      >
        <AboutFile file={file} />
      </TopBar>
      <SessionView reader={file} timeline={TIMELINE} kind={file.contents?.kind} {...{ route, navigate }} />
      {areKeysShown && <KeysDialog keys={KEYS} onClose={() => setKeysShown(false)} />}
    </div>
  );
}
