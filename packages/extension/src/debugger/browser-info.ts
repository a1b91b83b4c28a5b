/// <reference types="chrome" />

/** Name and version of this browser, for the relay's clients. */
export async function browserInfo(): Promise<object> {
  const { userAgent } = navigator;
  type Brands = { fullVersionList?: { brand: string; version: string }[] };
  const data = (navigator as { userAgentData?: { getHighEntropyValues(hints: string[]): Promise<Brands> } })
    .userAgentData;
  const brands = (await data?.getHighEntropyValues(["fullVersionList"]).catch(() => undefined))
    ?.fullVersionList;
  const chromium = brands?.find(({ brand }) => brand === "Chromium")?.version;
  const version = chromium ?? /Chrome\/([\d.]+)/.exec(userAgent)?.[1] ?? "0.0.0.0";
  const headless = userAgent.includes("Headless") ? "Headless" : "";
  return {
    userAgent,
    product: `${headless}Chrome/${version}`,
    extensionVersion: chrome.runtime.getManifest().version,
  };
}
