/// <reference types="chrome" />
import type { ClientInfo } from "./envelope.js";

interface Brand {
  readonly brand: string;
  readonly version: string;
}

type UserAgentData = { getHighEntropyValues(hints: string[]): Promise<{ fullVersionList?: Brand[] }> };

/** The versions of extension and browser. Chrome lists an invented brand among the real ones; that one is skipped. */
export async function readClientInfo(): Promise<ClientInfo> {
  const extensionVersion = chrome.runtime.getManifest().version;
  try {
    const data = (navigator as Navigator & { userAgentData?: UserAgentData }).userAgentData;
    const brands = (await data?.getHighEntropyValues(["fullVersionList"]))?.fullVersionList ?? [];
    const real = brands.filter(({ brand }) => !/not.*brand/i.test(brand));
    const own = real.find(({ brand }) => brand !== "Chromium") ?? real[0];
    if (own) return { extensionVersion, browser: own.brand, browserVersion: own.version };
  } catch {
    // The user agent has a less exact version.
  }
  const version = /Chrom(?:e|ium)\/([\d.]+)/.exec(navigator.userAgent)?.[1];
  return { extensionVersion, browser: "Chrome", browserVersion: version ?? "unknown" };
}
