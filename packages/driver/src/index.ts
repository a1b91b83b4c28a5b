/** A page over CDP, with the page engine in it. */
export {
  Activity,
  cut,
  type Difference,
  happeningLists,
  itemLine,
  Masker,
  maskRecord,
  renderChanges,
  sameItem,
  type TelemetryBody,
} from "@debug-bridge/page/records";
export { namesOurScripts, withoutOurFrames } from "./capture/our-frames.js";
export { type CdpSession, fromPuppeteer } from "./cdp.js";
export { ChangeNotifier } from "./change-notifier.js";
export { type DrivenPage, drivePage } from "./driven-page.js";
export type { EndedDownload } from "./effects/downloads.js";
export type { OpenedPage } from "./effects/opened-pages.js";
export { PageNumbers } from "./engine/page-numbers.js";
export { maskUrl } from "./mask-url.js";
export type { ConnectOptions, DriveOptions } from "./options.js";
export { seededRandom } from "./recording/seeded-random.js";
export type { Screenshot } from "./screenshot.js";
