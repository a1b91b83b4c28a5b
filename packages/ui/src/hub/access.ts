import type { PageTools } from "./page-tools.js";

/** How a page reaches the hub, and shows that it may. */
export interface HubAccess {
  /** Where the hub is, and the value of the header `Authorization`. Rejects with `HubProblem` when that is not known. */
  connect(): Promise<{ readonly url: string; readonly authorization: string }>;
  /** The hub refused the page. Returns whether the page can prove itself again. */
  renew(): boolean;
  /** How the person shows something of a page to the agent; without it, with commands of the hub. */
  readonly page?: PageTools;
}

/** Something is in the way that the person has to change: no token, no pairing, no hub. */
export class HubProblem extends Error {}

/** The hub answered, and said no. */
export class HubRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Access of a page that the hub serves itself: with the token. */
export function tokenAccess(token: string | undefined): HubAccess {
  return {
    renew: () => false,
    async connect() {
      if (token === undefined)
        throw new HubProblem(
          "This page needs the hub's token. Open the address that debug-bridge up printed; it ends in #token=…",
        );
      return { url: location.origin, authorization: `Bearer ${token}` };
    },
  };
}
