/** The part of the engine that knows where elements were written. */
export { observeSources } from "./observe-sources.js";
export { sourceLine, sourcesIn } from "./places.js";
export { showSources } from "./show-sources.js";
