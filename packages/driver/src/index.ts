/** A page over CDP, with the page engine in it. */
export type { TelemetryBody } from "@debug-bridge/page/records";
export { type CdpSession, fromPuppeteer } from "./cdp.js";
export { ChangeNotifier } from "./change-notifier.js";
export { type ConnectOptions, type DrivenPage, type DriveOptions, drivePage } from "./driven-page.js";
export type { EndedDownload } from "./effects/downloads.js";
export type { OpenedPage } from "./effects/opened-pages.js";
export { maskUrl } from "./mask-url.js";
export type { Screenshot } from "./screenshot.js";
