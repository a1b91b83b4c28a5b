import type { SessionKind, SessionSummary } from "@debug-bridge/protocol";
import { CopyButton } from "@debug-bridge/ui/components/copy-button.js";
import { AppWindow, Bot, CircleCheck, CircleDashed, Globe } from "lucide-react";
import type { ReactNode } from "react";

interface Way {
  readonly title: string;
  readonly icon: ReactNode;
  readonly text: string;
  readonly line: string;
  readonly kinds: readonly SessionKind[];
}

const WAYS: readonly Way[] = [
  {
    title: "My app",
    icon: <AppWindow aria-hidden />,
    text: "Add this line to its HTML, before other scripts, and open it.",
    line: `<script src="${location.origin}/sdk.js"></script>`,
    kinds: ["app"],
  },
  {
    title: "My Chrome",
    icon: <Globe aria-hidden />,
    text: "Run this, load the folder that it prints as an unpacked extension, and share a tab in its popup.",
    line: "debug-bridge extension",
    kinds: ["tab", "browser"],
  },
  {
    title: "My agent",
    icon: <Bot aria-hidden />,
    text: "Run this once; the next run of Claude Code appears here, and can be paused.",
    line: "debug-bridge hook install claude-code",
    kinds: ["agent"],
  },
];

/** The ways to connect something, each with its line and a light that shows whether it works. */
export function FirstSteps({ sessions }: { readonly sessions: readonly SessionSummary[] }): ReactNode {
  return (
    <section className="first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">
        {sessions.some(({ connected }) => connected) ? "Connect more" : "Nothing is connected yet"}
      </h2>
      <ul>
        {WAYS.map(({ title, icon, text, line, kinds }) => {
          const isConnected = sessions.some(({ kind, connected }) => connected && kinds.includes(kind));
          return (
            <li key={title}>
              <h3>
                {icon} {title}
              </h3>
              <p>{text}</p>
              <p className="line">
                <code>{line}</code>
                <CopyButton label={`Copy the line for ${title.toLowerCase()}`} text={line} />
              </p>
              <p className={isConnected ? "light success" : "light quiet"} role="status">
                {isConnected ? <CircleCheck aria-hidden /> : <CircleDashed aria-hidden />}
                {isConnected ? "connected" : "waiting"}
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
