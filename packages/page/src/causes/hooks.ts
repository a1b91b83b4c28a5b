import { hookFunction, type Unhook } from "../capture/hook.js";
import type { Guard } from "../guard.js";
import { joined, type Task, type Tasks } from "./tasks.js";

export interface CausesContext {
  readonly window: Window & typeof globalThis;
  readonly guard: Guard;
  readonly tasks: Tasks;
}

type Callback = (this: unknown, ...args: unknown[]) => unknown;

const SCHEDULERS = [
  "setTimeout",
  "setInterval",
  "requestAnimationFrame",
  "requestIdleCallback",
  "queueMicrotask",
] as const;

/** Follows callbacks of timers, frames and microtasks. */
export function followSchedulers({ window, guard, tasks }: CausesContext): Unhook[] {
  return SCHEDULERS.map((name) =>
    hookFunction(window, name, {
      call(original, self, args) {
        const [callback, ...rest] = args as [Callback, ...unknown[]];
        const task = typeof callback === "function" ? guard.run(() => tasks.create(name)) : undefined;
        if (!task) return Reflect.apply(original, self, args);
        // The name distinguishes our frames from those of the app.
        const debugBridge: Callback = function (...given) {
          return tasks.run(task, () => Reflect.apply(callback, this, given));
        };
        return Reflect.apply(original, self, [debugBridge, ...rest]);
      },
    }),
  );
}

/** How the promises that callbacks made came about. */
export class Promises {
  private readonly made = new WeakMap<object, Task>();
  private readonly sources = new WeakMap<object, object>();

  set(promise: object, task: Task): void {
    this.made.set(promise, task);
  }

  derive(promise: object, source: object): void {
    this.sources.set(promise, source);
  }

  /** The task of a promise: the one that rejected it, or the one before it in the chain that was passed on. */
  get(promise: object): Task | undefined {
    let at: object | undefined = promise;
    for (let i = 0; at && i < 20; i++) {
      const task = this.made.get(at);
      if (task) return task;
      at = this.sources.get(at);
    }
    return undefined;
  }
}

/** Follows callbacks of promises. `catch` and `finally` call `then`. */
export function followPromises({ window, guard, tasks }: CausesContext, promises: Promises): Unhook {
  return hookFunction(window.Promise.prototype, "then", {
    call(original, self, args) {
      const task = guard.run(() => tasks.create("Promise.then"));
      if (!task) return Reflect.apply(original, self, args);
      let derived: unknown;
      const follow = (callback: unknown): unknown => {
        if (typeof callback !== "function") return callback;
        return function debugBridge(value: unknown) {
          const ran = afterAnswer(task, tasks.now());
          if (typeof derived === "object" && derived) promises.set(derived, ran);
          return tasks.run(ran, () => Reflect.apply(callback as Callback, undefined, [value]));
        };
      };
      derived = Reflect.apply(original, self, args.slice(0, 2).map(follow));
      if (typeof derived === "object" && derived) promises.derive(derived, self as object);
      return derived;
    },
  });
}

/** A callback that goes on after an answer came about by both; the answer says more. */
function afterAnswer(task: Task, running: Task | undefined): Task {
  const [first] = task;
  return first && running?.some(({ request }) => request !== undefined) ? joined(first, running) : task;
}

type NamedTask = { run(callback: () => unknown): unknown };

/** Follows queues that an app or a framework keeps itself, if it names what is in them (`console.createTask`). */
export function followNamedTasks({ window, guard, tasks }: CausesContext): Unhook {
  const owner = window.console as unknown as Record<string, (name: string) => NamedTask>;
  return hookFunction(owner, "createTask", {
    call(original, self, args) {
      const named = Reflect.apply(original, self, args) as NamedTask;
      guard.run(() => {
        const task = tasks.create(`task ${String(args[0]).slice(0, 100)}`);
        const { run } = named;
        // A separate property: the browser's is shared by all tasks.
        Object.defineProperty(named, "run", {
          ...{ configurable: true, writable: true },
          value: function debugBridge(this: unknown, callback: () => unknown) {
            return tasks.run(task, () => Reflect.apply(run, this, [callback]));
          },
        });
      });
      return named;
    },
  });
}

/** Follows messages between ports, by which schedulers of frameworks give way to the browser. */
export function followPorts({ window, guard, tasks }: CausesContext): Unhook[] {
  const peers = new WeakMap<object, { waiting: Task[] }>();
  const made = (Original: new (...args: unknown[]) => object, args: unknown[], target: unknown): object => {
    const channel = Reflect.construct(Original, args, target as never) as MessageChannel;
    guard.run(() => {
      for (const [from, to] of [
        [channel.port1, channel.port2],
        [channel.port2, channel.port1],
      ] as const) {
        const queue = { waiting: [] as Task[] };
        peers.set(from, queue);
        to.addEventListener("message", (event) => {
          const task = queue.waiting.shift();
          if (task) tasks.dispatch(event, task);
        });
      }
    });
    return channel;
  };
  return [
    hookFunction(window, "MessageChannel", {
      construct: (original, args, target) =>
        made(original, args, typeof target === "function" ? target : original),
    }),
    hookFunction(window.MessagePort.prototype, "postMessage", {
      call(original, self, args) {
        guard.run(() => peers.get(self as object)?.waiting.push(tasks.create("postMessage")));
        return Reflect.apply(original, self, args);
      },
    }),
  ];
}
