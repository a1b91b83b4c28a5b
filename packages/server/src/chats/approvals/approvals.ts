import {
  APPROVAL_TIMEOUT_MS,
  type ApprovalDecision,
  BridgeError,
  type RunEvent,
} from "@debug-bridge/protocol";
import type { ApprovalPort, Site } from "../../dispatch/policy.js";
import { createUlid } from "../store/ulid.js";
import type { SavedApprovals } from "./saved-approvals.js";

type Payload = Extract<RunEvent, { event: "run.approval" }>["payload"];

interface Question {
  readonly payload: Payload;
  readonly answered: Promise<void>;
  answer(status: "allowed" | "refused"): void;
}

/** What the person decided in one run, by origin, and what they are asked. */
interface RunState {
  readonly chatId: string;
  readonly decided: Map<string, "allowed" | "refused">;
  readonly questions: Map<string, Question>;
  report(payload: Payload): void;
}

/**
 * Asks the person the first time that the agent of a run wants to act on a site. An answer holds for the run, or for
 * the home when it is "always".
 */
export class Approvals implements ApprovalPort {
  private readonly runs = new Map<string, RunState>();

  constructor(
    readonly saved: SavedApprovals,
    private readonly timeoutMs = APPROVAL_TIMEOUT_MS,
  ) {}

  /** A run begins; `report` writes into its transcript. */
  open(runId: string, chatId: string, report: (payload: Payload) => void): void {
    this.runs.set(runId, { chatId, decided: new Map(), questions: new Map(), report });
  }

  /** A run ends: what was not answered is refused. */
  close(runId: string): void {
    const run = this.runs.get(runId);
    for (const question of [...(run?.questions.values() ?? [])]) question.answer("refused");
    this.runs.delete(runId);
  }

  /** Whether a run of this hub has not ended. */
  has(runId: string): boolean {
    return this.runs.has(runId);
  }

  refusal(runId: string, { origin, action }: Site): BridgeError | undefined {
    const run = this.runs.get(runId);
    if (!run)
      return new BridgeError("grant_needed", `run ${runId} has ended, so nobody can be asked; do not retry`);
    const decided = run.decided.get(origin);
    if (decided === "allowed" || (decided === undefined && this.saved.has(origin))) return undefined;
    return new BridgeError(
      "grant_needed",
      decided === "refused"
        ? `the person does not let the agent act on ${origin} in this run (${action}); do not retry: look only, or tell the person what you would do`
        : `the person is asked whether the agent may act on ${origin} (${action}); wait a little, and try again`,
    );
  }

  ask(runId: string, site: Site): Promise<void> | undefined {
    const run = this.runs.get(runId);
    const { origin } = site;
    if (!run || run.decided.has(origin) || this.saved.has(origin)) return undefined;
    const question = run.questions.get(origin) ?? this.question(run, site);
    return question.answered;
  }

  /** Settles when nothing that the run asks now is waiting; with what was decided about each site. */
  async answered(runId: string): Promise<{ origin: string; status: "allowed" | "refused" }[]> {
    const run = this.runs.get(runId);
    const questions = [...(run?.questions.values() ?? [])];
    await Promise.all(questions.map(({ answered }) => answered));
    return questions.map(({ payload: { origin } }) => ({
      origin,
      status: run?.decided.get(origin) ?? "refused",
    }));
  }

  /** The person's answer. Throws when nobody waits for it. */
  decide(chatId: string, id: string, decision: ApprovalDecision): Payload {
    const questions = [...this.runs.values()].flatMap((run) =>
      run.chatId === chatId ? [...run.questions.values()] : [],
    );
    const question = questions.find(({ payload }) => payload.id === id);
    if (!question)
      throw new BridgeError(
        "target_not_found",
        `nothing waits for the approval ${JSON.stringify(id.slice(0, 60))} in this chat: it was answered, or its run has ended`,
      );
    const { payload } = question;
    if (decision === "always") this.saved.add(payload.origin);
    const status = decision === "refuse" ? "refused" : "allowed";
    question.answer(status);
    return { ...payload, status };
  }

  private question(run: RunState, { origin, sessionId, action }: Site): Question {
    const payload: Payload = { id: createUlid(), origin, sessionId, action, status: "waiting" };
    let settle = (): void => {};
    const answered = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const timer = setTimeout(() => question.answer("refused"), this.timeoutMs);
    timer.unref();
    const question: Question = {
      payload,
      answered,
      answer: (status) => {
        if (!run.questions.delete(origin)) return;
        clearTimeout(timer);
        run.decided.set(origin, status);
        run.report({ ...payload, status });
        settle();
      },
    };
    run.questions.set(origin, question);
    run.report(payload);
    return question;
  }
}
