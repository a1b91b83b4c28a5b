import { z } from "zod";
import type { Bus } from "../bus.js";
import type { HomeHead, HttpHead } from "../channels/heads.js";
import { withDeadline } from "../deadline.js";
import type { Members } from "../members/members.js";
import { passedHeaders, requestOver } from "./http.js";

const ASK_TIMEOUT_MS = 2_000;
/** How long a list waits for another hub; without it, the list has what the others have. */
const LIST_TIMEOUT_MS = 5_000;

const HOME_ITEMS = ["chat", "run", "agent", "recording"] as const;
export type HomeItem = (typeof HOME_ITEMS)[number];

const questionSchema = z.object({
  kind: z.literal("home"),
  what: z.enum(HOME_ITEMS),
  id: z.string().max(256),
});

/** Whether this hub has something in its home; of an agent, whether it is that of a run of this hub. */
export type HasItem = (what: HomeItem, id: string) => boolean;

/** What other hubs keep in their homes: chats, their runs, and recordings. */
export class RemoteHomes {
  hasItem: HasItem = () => false;

  constructor(
    private readonly bus: Bus,
    private readonly members: Members,
    private readonly nameOf: (name: string | undefined) => string | undefined,
  ) {}

  /** Lets the hub that keeps something answer a request for it. `undefined` when this hub has to answer. */
  async forward(request: Request, what: HomeItem, id: string): Promise<Response | undefined> {
    if (this.hasItem(what, id)) return undefined;
    const hub = await this.otherThatHas(what, id);
    return hub === undefined ? undefined : this.request(hub, request);
  }

  /** Whether this hub or another one has something. */
  async has(what: HomeItem, id: string): Promise<boolean> {
    return this.hasItem(what, id) || (await this.otherThatHas(what, id)) !== undefined;
  }

  /** What the other hubs answer to the same request, by their names. Those that do not answer are left out. */
  async askAll(request: Request): Promise<Map<string, Response>> {
    const answers = new Map<string, Response>();
    const ask = async (hub: string): Promise<void> => {
      const late = (): Error => new Error(`the hub ${hub} did not answer`);
      const asked = withDeadline(this.request(hub, request.clone()), LIST_TIMEOUT_MS, late);
      const response = await asked.catch(() => undefined);
      if (response?.ok) answers.set(hub, response);
    };
    await Promise.all(this.members.others().map(ask));
    return new Map([...answers].sort(([a], [b]) => a.localeCompare(b)));
  }

  /** Answers another hub; `undefined` when it asks about something else. */
  answer(body: string): string | undefined {
    let question: z.infer<typeof questionSchema> | undefined;
    try {
      question = questionSchema.safeParse(JSON.parse(body)).data;
    } catch {}
    return question && JSON.stringify(this.hasItem(question.what, question.id));
  }

  private async otherThatHas(what: HomeItem, id: string): Promise<string | undefined> {
    const question = JSON.stringify({ kind: "home", what, id });
    const others = this.members.others();
    const answers = await Promise.all(
      others.map((hub) =>
        this.bus.request(hub, question, ASK_TIMEOUT_MS).then(
          (answer) => answer === "true",
          () => false,
        ),
      ),
    );
    return others.find((_, i) => answers[i]);
  }

  private async request(hub: string, request: Request): Promise<Response> {
    const url = new URL(request.url);
    url.searchParams.delete("token");
    const named = request.headers.get("x-debug-bridge-client") ?? undefined;
    const name = this.nameOf(named);
    const headers = passedHeaders(request.headers).filter(([each]) => each !== "x-debug-bridge-client");
    if (name !== undefined) headers.push(["x-debug-bridge-client", name]);
    const head: HomeHead = {
      ...{ kind: "home", method: request.method as HttpHead["method"], headers },
      path: `${url.pathname}${url.search}`,
    };
    return requestOver(await this.bus.open(hub, JSON.stringify(head)), request);
  }
}
