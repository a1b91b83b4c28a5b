/** The large half of the engine: looking and acting. */
export { createDomHalf, type DomHalf } from "./dom-half.js";
