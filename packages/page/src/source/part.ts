/** The part of the engine that knows where elements were written. */
export { sourceLine, sourcesIn } from "./places.js";
export { showSources } from "./show-sources.js";
