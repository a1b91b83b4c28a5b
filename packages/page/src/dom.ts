/** The larger part of the engine: views and actions. */
export type { LoadFind } from "./commands/run-command.js";
export { createPageController, type PageController } from "./page-controller.js";
