/** The large half of the engine: looking and acting. */
export { createPageController, type PageController } from "./page-controller.js";
