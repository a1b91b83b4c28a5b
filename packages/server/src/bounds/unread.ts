import { ByteBudget } from "./byte-budget.js";
import { HUB_LIMITS } from "./limits.js";

/** What all peers of this process have not read yet: over WebSockets and as event streams. */
export const unreadInAll = new ByteBudget(HUB_LIMITS.unreadInAll);
/** Less unread output than this is not counted: nearly every peer reads at once. */
export const MIN_COUNTED_BYTES = 64 * 1024;
