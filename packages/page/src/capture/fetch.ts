import { truncate } from "@debug-bridge/protocol";
import { natives } from "../natives.js";
import { hookFunction, type Unhook } from "./hook.js";
import { bytesOf, elapsed, type NetworkReporter } from "./network-reporter.js";

/** Reports `fetch`, and when the app has read the answers. */
export function captureFetch(reporter: NetworkReporter): Unhook {
  const { window, guard } = reporter.context;
  const ids = new WeakMap<object, string>();
  const unhooks = [
    hookFunction(window, "fetch", {
      call(original, self, args) {
        const request = guard.run(() => beginFetch(reporter, args));
        const response = Reflect.apply(original, self, args) as Promise<Response>;
        if (!request) return response;
        // What the app gets is the chained promise: were it the first, our handler would hide unhandled rejections.
        return response.then(
          (answer) => {
            ids.set(answer, request.id);
            guard.run(() => request.answered(answer));
            return answer;
          },
          (error: unknown) => {
            guard.run(() => request.failed(error));
            throw error;
          },
        );
      },
    }),
    ...(["json", "text", "arrayBuffer", "blob"] as const).map((method) =>
      hookFunction(window.Response.prototype, method, {
        call(original, self, args) {
          const reading = Reflect.apply(original, self, args) as Promise<unknown>;
          const id = ids.get(self as object);
          const done = id && guard.run(() => reporter.context.activity.holdOpen(id));
          if (done) reading.then(done, done);
          return reading;
        },
      }),
    ),
  ];
  return () => {
    for (const unhook of unhooks) unhook();
  };
}

interface RunningFetch {
  readonly id: string;
  answered(response: Response): void;
  failed(error: unknown): void;
}

function beginFetch(reporter: NetworkReporter, [input, init]: unknown[]): RunningFetch {
  const request =
    typeof input === "object" && input !== null && "method" in input ? (input as Request) : undefined;
  const options = (init ?? {}) as RequestInit;
  const method = String(options.method ?? request?.method ?? "GET").toUpperCase();
  const url = request ? request.url : String(input);
  const base = { id: reporter.id(), api: "fetch", method, url } as const;
  const begun = natives.now();
  reporter.report({ ...base, phase: "request", ...bytesOf(options.body), ...reporter.body(options.body) });
  return {
    id: base.id,
    answered(response) {
      const length = Number(response.headers?.get("content-length") ?? Number.NaN);
      const report = (body: object): void =>
        reporter.report({
          ...base,
          phase: "response",
          status: response.status,
          ...(response.statusText ? { statusText: response.statusText } : {}),
          durationMs: elapsed(begun),
          ...(Number.isSafeInteger(length) && response.headers.has("content-length")
            ? { responseBytes: length }
            : {}),
          ...body,
        });
      const textual = /json|text|xml|urlencoded|javascript/.test(response.headers?.get("content-type") ?? "");
      if (!reporter.context.captureBodies || !textual || response.bodyUsed) return report({});
      response
        .clone()
        .text()
        .then(
          (text) => report({ ...reporter.body(text), responseBytes: text.length }),
          () => report({}),
        );
    },
    failed: (error) =>
      reporter.report({
        ...base,
        phase: "failed",
        status: 0,
        durationMs: elapsed(begun),
        error: truncate(String(error), 500),
      }),
  };
}
