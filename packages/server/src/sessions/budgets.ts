import type { ByteBudget } from "../bounds/byte-budget.js";

/** The memory that all sessions of a hub share. */
export interface SessionBudgets {
  readonly timelines: ByteBudget;
  readonly lateJoin: ByteBudget;
}
