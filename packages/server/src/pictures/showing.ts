import type { Session } from "../sessions/session.js";

/** The tab or launched browser that shows the address of an app now. */
export function showing(app: Session, all: readonly Session[]): Session | undefined {
  const address = addressOf(app);
  if (address === "") return undefined;
  return all.find(
    (other) =>
      (other.kind === "tab" || other.kind === "browser") &&
      other.appCount > 0 &&
      other.canBeWatched &&
      addressOf(other) === address,
  );
}

const addressOf = (session: Session): string => (session.summary().url ?? "").replace(/#.*$/, "");
