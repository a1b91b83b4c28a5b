import type { Grant } from "@debug-bridge/protocol";

/** How long a command waits for the person's answer. */
const ANSWER_TIMEOUT_MS = 30_000;
const MAX_REQUESTS = 20;

/** A client wants something beyond its tabs, and the person is asked. */
export interface GrantRequest {
  readonly id: number;
  readonly client: string;
  readonly grant: Grant;
  /** The command that needs it. */
  readonly method: string;
}

interface Open extends GrantRequest {
  readonly waiting: Set<(allowed: boolean) => void>;
}

/** Questions to the person that are open, and what the person allowed until the browser closes. */
export class GrantRequests {
  private readonly open = new Map<number, Open>();
  private readonly allowed = new Map<string, Set<Grant>>();
  private nextId = 1;

  constructor(private readonly onChange: () => void) {}

  all(): GrantRequest[] {
    return [...this.open.values()].map(({ id, client, grant, method }) => ({ id, client, grant, method }));
  }

  /** What the person allowed a client, without having it remembered. */
  grantsOf(client: string): ReadonlySet<Grant> {
    return this.allowed.get(client) ?? new Set();
  }

  /** Asks the person. False when the answer is no, or does not come in time. */
  ask(client: string, grant: Grant, method: string): Promise<boolean> {
    const known = [...this.open.values()].find((each) => each.client === client && each.grant === grant);
    if (!known && this.open.size >= MAX_REQUESTS) return Promise.resolve(false);
    const request = known ?? { id: this.nextId++, client, grant, method, waiting: new Set() };
    this.open.set(request.id, request);
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), ANSWER_TIMEOUT_MS);
      const settle = (isAllowed: boolean): void => {
        clearTimeout(timer);
        request.waiting.delete(settle);
        if (request.waiting.size === 0) this.open.delete(request.id);
        resolve(isAllowed);
        this.onChange();
      };
      request.waiting.add(settle);
      if (!known) this.onChange();
    });
  }

  /** The person's answer. Returns the question, if it is still open. */
  answer(id: number, isAllowed: boolean): GrantRequest | undefined {
    const request = this.open.get(id);
    if (!request) return undefined;
    const { client, grant, method } = request;
    if (isAllowed) this.allowed.set(client, new Set([...this.grantsOf(client), grant]));
    for (const settle of [...request.waiting]) settle(isAllowed);
    return { id, client, grant, method };
  }

  /** The person refuses everything that a client asks for now. */
  refuseAll(client: string): void {
    for (const request of [...this.open.values()])
      if (request.client === client) this.answer(request.id, false);
  }

  /** Takes back what was allowed until the browser closes. */
  forget(client: string): void {
    this.allowed.delete(client);
  }
}
