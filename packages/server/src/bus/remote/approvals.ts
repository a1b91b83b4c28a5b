import { z } from "zod";
import type { ApprovalPort, Site } from "../../dispatch/policy.js";
import type { Bus } from "../bus.js";
import type { Members } from "../members/members.js";

/** How long a hub waits for the person before it says that they have not decided yet. */
const WAIT_MS = 3_000;
const ASK_TIMEOUT_MS = WAIT_MS + 2_000;

const questionSchema = z.object({
  kind: z.literal("approval"),
  runId: z.string().max(64),
  site: z.object({
    origin: z.string().max(2_048),
    sessionId: z.string().max(256),
    action: z.string().max(10_000),
  }),
});
const answerSchema = z.enum(["allowed", "refused", "waiting", "none"]);
type Answer = z.infer<typeof answerSchema>;

/** The runs of this hub, whose person is asked here. */
export interface OwnRuns extends ApprovalPort {
  has(runId: string): boolean;
}

/** Asks the person of a run that goes on at another hub. */
export class RemoteApprovals {
  runs: OwnRuns | undefined;

  constructor(
    private readonly bus: Bus,
    private readonly members: Members,
  ) {}

  /** Resolves when the person has decided; with `none` when no hub has the run. */
  async ask(runId: string, site: Site): Promise<"allowed" | "refused" | "none"> {
    const body = JSON.stringify({ kind: "approval", runId, site });
    for (;;) {
      const answers = await Promise.all(this.members.others().map((hub) => this.queryHub(hub, body)));
      const answer = answers.find((each) => each !== "none") ?? "none";
      if (answer !== "waiting") return answer;
    }
  }

  /** Answers another hub; `undefined` when it asks about something else. */
  answer(body: string): Promise<string> | undefined {
    let question: z.infer<typeof questionSchema> | undefined;
    try {
      question = questionSchema.safeParse(JSON.parse(body)).data;
    } catch {}
    return question && this.decide(question.runId, question.site);
  }

  private async decide(runId: string, site: Site): Promise<Answer> {
    if (!this.runs?.has(runId)) return "none";
    const waited = new Promise<"waiting">((resolve) => {
      setTimeout(() => resolve("waiting"), WAIT_MS).unref();
    });
    const asked = Promise.resolve(this.runs.ask(runId, site)).then(() => undefined);
    if ((await Promise.race([asked, waited])) === "waiting") return "waiting";
    // What was still asked when the run ended was refused by that.
    await new Promise((resolve) => setImmediate(resolve));
    if (!this.runs.has(runId)) return "none";
    return this.runs.refusal(runId, site) === undefined ? "allowed" : "refused";
  }

  private async queryHub(hub: string, body: string): Promise<Answer> {
    try {
      return answerSchema.parse(await this.bus.request(hub, body, ASK_TIMEOUT_MS));
    } catch {
      return "none";
    }
  }
}
