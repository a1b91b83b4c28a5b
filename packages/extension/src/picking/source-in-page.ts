/** Runs in the page's own world, with an element: what frameworks attach to elements can be read only there. */
export { sourceOf } from "@debug-bridge/page/source";
