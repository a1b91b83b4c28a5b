/** The part of the engine that looks, and loads the others. */
export type { LoadPart } from "./commands/parts.js";
export { createPageController, type PageController } from "./page-controller.js";
