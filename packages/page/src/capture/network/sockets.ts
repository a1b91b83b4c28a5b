import { RateWindow } from "@debug-bridge/protocol";
import { platform } from "../../inert/platform.js";
import { hookFunction, type Unhook, unhookAll } from "../hook.js";
import { elapsed, type NetworkReporter } from "./network-reporter.js";

/** Frames per second of one socket that are reported; above it they are dropped. */
const MAX_FRAMES_PER_SECOND = 50;

/** Reports WebSockets and event streams: opening, frames, end. */
export function captureSockets(reporter: NetworkReporter): Unhook {
  const { window, guard } = reporter.context;
  const sending = new WeakMap<object, (data: unknown) => void>();

  const follow = (socket: WebSocket | EventSource, api: "websocket" | "eventsource", url: string): void => {
    const base = { id: reporter.id(), api, method: "GET", url } as const;
    const startedAt = platform.now();
    const rate = new RateWindow(MAX_FRAMES_PER_SECOND);
    const frame = (direction: "in" | "out", data: unknown): void => {
      if (rate.admit(platform.now(), false) === -1) return;
      const size =
        typeof data === "string"
          ? data.length
          : ((data as ArrayBuffer)?.byteLength ?? (data as Blob)?.size ?? 0);
      reporter.report({
        ...base,
        phase: "message",
        direction,
        ...(direction === "in" ? { responseBytes: size } : { requestBytes: size }),
        ...reporter.body(data),
      });
    };
    const listen = (type: string, run: (event: Event) => void): void =>
      socket.addEventListener(type, guard.wrap(run));
    listen("open", () => reporter.report({ ...base, phase: "open", durationMs: elapsed(startedAt) }));
    listen("message", (event) => frame("in", (event as MessageEvent).data));
    listen("error", () =>
      reporter.report({
        ...base,
        phase: "failed",
        durationMs: elapsed(startedAt),
        error: "connection failed",
      }),
    );
    listen("close", (event) => {
      const { code, reason } = event as CloseEvent;
      reporter.report({
        ...base,
        phase: "close",
        status: code,
        statusText: reporter.context.masker.fit(reason, 200),
        durationMs: elapsed(startedAt),
      });
    });
    sending.set(socket, (data) => frame("out", data));
  };

  const construct =
    (api: "websocket" | "eventsource") =>
    (Original: new (...args: unknown[]) => object, args: unknown[], target: unknown): object => {
      const made = Reflect.construct(
        Original,
        args,
        typeof target === "function" ? target : Original,
      ) as WebSocket;
      guard.run(() => follow(made, api, String(args[0])));
      return made;
    };

  const unhooks = [
    hookFunction(window, "WebSocket", { construct: construct("websocket") }),
    hookFunction(window, "EventSource", { construct: construct("eventsource") }),
    hookFunction(window.WebSocket.prototype, "send", {
      call(original, self, args) {
        guard.run(() => sending.get(self as object)?.(args[0]));
        return Reflect.apply(original, self, args);
      },
    }),
  ];
  return unhookAll(unhooks);
}
