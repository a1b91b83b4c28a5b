import type { ApprovalDecision } from "@debug-bridge/protocol";
import { ShieldCheck, ShieldQuestion, ShieldX } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { RunApproval } from "../../state/turns.js";
import { useChatScope } from "../chat-context.js";

interface Props {
  readonly approval: RunApproval;
  readonly agent: string;
  /** Whether the run has ended. */
  readonly isOver: boolean;
}

const CHOICES: readonly (readonly [ApprovalDecision, string])[] = [
  ["once", "Allow once"],
  ["always", "Always on this site"],
  ["refuse", "Refuse"],
];

/** The agent asks whether it may act on a site. Once answered, a line like those of steps. */
export function ApprovalCard({ approval, agent, isOver }: Props): ReactNode {
  if (approval.status === "waiting" && !isOver) return <Question approval={approval} agent={agent} />;
  const isAllowed = approval.status === "allowed";
  const words = isAllowed ? "Allowed on" : approval.status === "refused" ? "Refused on" : "Not answered:";
  return (
    <div className="step approval-answer">
      {isAllowed ? (
        <ShieldCheck aria-hidden className="done" />
      ) : (
        <ShieldX aria-hidden className="unfinished" />
      )}
      <span className="title">
        <bdi>
          {words} {approval.origin}
        </bdi>
        <span className="effects">: {approval.action}</span>
      </span>
    </div>
  );
}

function Question({ approval, agent }: Omit<Props, "isOver">): ReactNode {
  const { client, chatId, onProblem } = useChatScope();
  const [isSent, setSent] = useState(false);
  const title = useId();
  const details = useId();
  const answer = async (decision: ApprovalDecision): Promise<void> => {
    setSent(true);
    try {
      await client.decide(chatId, approval.id, decision);
    } catch (thrown) {
      setSent(false);
      onProblem((thrown as Error).message);
    }
  };
  return (
    <section className="approval" aria-labelledby={title} aria-describedby={details}>
      <h2 id={title}>
        <ShieldQuestion aria-hidden /> May {agent.replace(/^The /, "the ")} act on this site?
      </h2>
      <dl id={details}>
        <dt>Site</dt>
        <dd>
          <code dir="ltr">{approval.origin}</code>
        </dd>
        <dt>Action</dt>
        <dd dir="auto">{approval.action}</dd>
      </dl>
      <div className="choices">
        {CHOICES.map(([decision, label]) => (
          <button
            key={decision}
            type="button"
            className={decision === "once" ? "primary" : undefined}
            disabled={isSent}
            onClick={() => void answer(decision)}
          >
            {label}
          </button>
        ))}
      </div>
    </section>
  );
}
