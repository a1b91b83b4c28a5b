import { hookFunction, type Unhook } from "../capture/hook.js";
import type { CausesContext, Promises } from "./hooks.js";
import { joined, type Task } from "./tasks.js";

const ENDS = ["readystatechange", "progress", "load", "error", "abort", "timeout", "loadend"];
const BODIES = ["json", "text", "arrayBuffer", "blob", "formData"] as const;

/** Follows code that goes on when a request is answered. The hooks that report requests say which one it is. */
export class Requests {
  /** The request that was reported while a call ran. */
  private reported: string | undefined;
  private readonly responses = new WeakMap<object, Task>();
  private readonly sockets = new WeakMap<object, Task>();

  constructor(
    private readonly context: CausesContext,
    private readonly promises: Promises,
    private readonly nativeThen: typeof Promise.prototype.then,
  ) {}

  /** A request, or what happened to a socket, is reported. */
  onReport(id: string, phase: string, api: string): void {
    if (phase === "request") this.reported = id;
    const { window, tasks } = this.context;
    const event = window.event as Event | undefined;
    if (!event || (api !== "websocket" && api !== "eventsource")) return;
    const made = this.sockets.get(event.target as object) ?? [];
    const isMessage = phase === "message" && event.type === "message";
    tasks.dispatch(event, isMessage ? tasks.create(`${api} message`, withoutPlace(id), made) : made);
  }

  start(): Unhook[] {
    const { window } = this.context;
    return [
      this.followFetch(),
      ...BODIES.map((name) => this.followBody(name)),
      ...this.followXhr(),
      this.followSocket(window, "WebSocket"),
      this.followSocket(window, "EventSource"),
    ];
  }

  private followFetch(): Unhook {
    const { window } = this.context;
    return hookFunction(window, "fetch", {
      call: (original, self, args) => {
        const task = this.begin("fetch");
        const answer = Reflect.apply(original, self, args);
        const own = this.named(task);
        return own ? this.afterAnswer(answer, own) : answer;
      },
    });
  }

  private followBody(name: (typeof BODIES)[number]): Unhook {
    return hookFunction(this.context.window.Response.prototype, name, {
      call: (original, self, args) => {
        const read = Reflect.apply(original, self, args);
        const task = this.responses.get(self as object);
        return task ? this.afterAnswer(read, task) : read;
      },
    });
  }

  private followXhr(): Unhook[] {
    const { window, tasks, guard } = this.context;
    const onEvent = guard.wrap((event: Event) => {
      const task = this.responses.get(event.target as object);
      if (task) tasks.dispatch(event, task);
    });
    return [
      hookFunction(window, "XMLHttpRequest", {
        construct: (original, args, target) => {
          const xhr = Reflect.construct(original, args, typeof target === "function" ? target : original);
          // Before the listeners of the app: they run in the order in which they were added.
          for (const type of ENDS) (xhr as XMLHttpRequest).addEventListener(type, onEvent);
          return xhr;
        },
      }),
      hookFunction(window.XMLHttpRequest.prototype, "send", {
        call: (original, self, args) => {
          const task = this.begin("XMLHttpRequest");
          try {
            return Reflect.apply(original, self, args);
          } finally {
            const own = this.named(task);
            if (own) this.responses.set(self as object, own);
          }
        },
      }),
    ];
  }

  private followSocket(window: Window & typeof globalThis, name: "WebSocket" | "EventSource"): Unhook {
    const { guard, tasks } = this.context;
    return hookFunction(window, name, {
      construct: (original, args, target) => {
        const task = guard.run(() => tasks.create(`new ${name}`));
        const socket = Reflect.construct(original, args, typeof target === "function" ? target : original);
        if (task) this.sockets.set(socket, task);
        return socket;
      },
    });
  }

  private begin(how: string): Task | undefined {
    this.reported = undefined;
    return this.context.guard.run(() => this.context.tasks.create(how));
  }

  /** The task with the request that was reported since it began; nothing when none was. */
  private named(task: Task | undefined): Task | undefined {
    const { reported } = this;
    const [first, ...rest] = task ?? [];
    return first && reported !== undefined ? joined({ ...first, request: reported }, rest) : undefined;
  }

  /** The app gets a chained promise, so that a rejection that it does not handle is still reported. */
  private afterAnswer(answer: unknown, task: Task): unknown {
    const { window, tasks, guard } = this.context;
    if (!(answer instanceof window.Promise)) return answer;
    const arrived = (value: unknown): void =>
      void guard.run(() => {
        if (value instanceof window.Response) this.responses.set(value, task);
        tasks.answer(task);
      });
    const chained = Reflect.apply(this.nativeThen, answer, [
      (value: unknown) => {
        arrived(value);
        return value;
      },
      (reason: unknown) => {
        arrived(undefined);
        throw reason;
      },
    ]);
    this.promises.set(chained, task);
    return chained;
  }
}

const withoutPlace = (request: string): { error: never; request: string } => ({
  error: undefined as never,
  request,
});
