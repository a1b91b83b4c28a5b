import type { BuildError } from "@debug-bridge/protocol";
import { type EsbuildMessage, esbuildError } from "../builds/esbuild-builds.js";
import { COMPONENT_UPDATE } from "../channel.js";

/** What the development server of Angular sends to pages, as far as it is used here. Vite is below it. */
interface Message {
  readonly type?: unknown;
  readonly event?: unknown;
  readonly updates?: readonly unknown[];
  readonly err?: { readonly message?: string; readonly loc?: EsbuildMessage["location"] };
}

/** What became of a build. `cleared`: the last error is gone; what else the build changed, if anything, comes after it. */
export type AngularEvent =
  | { readonly outcome: "hot_update" | "full_reload" | "cleared" }
  | { readonly outcome: "build_error"; readonly error: BuildError };

/** Reads a message of the socket. */
export function readAngular(data: string): AngularEvent | undefined {
  let message: Message;
  try {
    message = JSON.parse(data) as Message;
  } catch {
    return undefined;
  }
  const { type, event, updates, err } = message ?? {};
  if (type === "error" && err)
    return {
      outcome: "build_error",
      error: esbuildError({ text: err.message ?? "", location: err.loc ?? null }),
    };
  if (type === "full-reload") return { outcome: "full_reload" };
  if (type === "custom" && event === COMPONENT_UPDATE) return { outcome: "hot_update" };
  if (type === "update") return { outcome: updates?.length ? "hot_update" : "cleared" };
  return undefined;
}
