/**
 * What the parts that are loaded later use of the one that looks. In the scripts for the script tag they get it from
 * there instead of bringing a copy, so that what these modules remember is known to all parts.
 */
export {
  BridgeError,
  DEFAULT_MAX_TOKENS,
  estimateTokens,
  MASK,
  RateWindow,
  truncate,
} from "@debug-bridge/protocol";
export { resolveTarget } from "./act/resolve.js";
export { describeError } from "./app-data.js";
export { pollState } from "./commands/app-state.js";
export { refuseWhenLeaving } from "./commands/leaving.js";
export { platform } from "./inert/platform.js";
export { isDisabled } from "./view/elements/describe.js";
export {
  closestAcross,
  containsAcross,
  deepActiveElement,
  documentIn,
  isElement,
  isFrame,
  parentAcross,
  squash,
} from "./view/elements/dom.js";
export { elementAt, toTabPoint } from "./view/elements/frame-points.js";
export { nameOf } from "./view/elements/names.js";
export { roleOf } from "./view/elements/roles.js";
export { hitTest, pressPoint, topModal, VisibilityChecker } from "./view/elements/visibility.js";
export { allLines } from "./view/text/outline/fold.js";
export { itemLine, NAME_LENGTH } from "./view/text/outline/item-line.js";
export { outline } from "./view/text/outline/outline.js";
export { innerTextOf } from "./view/text/reading/inner-text.js";
export { isComplete, readingChanges, readPage } from "./view/text/reading/reading.js";
