/** The larger part of the engine: views and actions. */
export { createPageController, type PageController } from "./page-controller.js";
