import type { ChatUsage } from "@debug-bridge/protocol";
import type { ReactNode } from "react";

const short = (tokens: number): string =>
  tokens < 1_000 ? String(tokens) : `${(tokens / 1_000).toFixed(tokens < 10_000 ? 1 : 0)}k`;

/** How full the model's context is. Says so when the agent does not report it. */
export function ContextBar({ usage }: { readonly usage: ChatUsage | undefined }): ReactNode {
  const { contextTokens, contextWindow } = usage ?? {};
  if (contextTokens === undefined) return <p className="context">Context: unavailable</p>;
  if (!contextWindow) return <p className="context">Context: {short(contextTokens)} tokens</p>;
  const share = Math.min(100, Math.round((100 * contextTokens) / contextWindow));
  return (
    <div className="context">
      <meter aria-label="Context used" min={0} max={100} high={85} value={share}>
        {share}%
      </meter>
      <span title={`${contextTokens} of ${contextWindow} tokens`}>
        Context: {share}% of {short(contextWindow)}
      </span>
    </div>
  );
}
