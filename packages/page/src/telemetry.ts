import type { Telemetry } from "@debug-bridge/protocol";

/** A message of an app without what the connection adds. A record of something earlier brings its own time. */
export type TelemetryBody = Telemetry extends infer T
  ? T extends Telemetry
    ? Omit<T, "sessionId" | "timestamp" | "origin" | "seq"> & { readonly timestamp?: number }
    : never
  : never;

export type BodyOf<Type extends Telemetry["type"]> = Extract<TelemetryBody, { type: Type }>;

export type Emit = (message: TelemetryBody) => void;
