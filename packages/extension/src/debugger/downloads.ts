/// <reference types="chrome" />

const COMPLETE_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

/** The newest download of an address since a moment. */
async function newest(url: string, since: number): Promise<chrome.downloads.DownloadItem | undefined> {
  const items = await chrome.downloads.search({ orderBy: ["-startTime"], limit: 20 });
  const recent = items.filter(({ startTime }) => Date.parse(startTime) >= since - 1_000);
  return recent.find((item) => item.url === url || item.finalUrl === url) ?? recent[0];
}

/** Where the file of a download lies, once it is complete. */
export async function findDownload(url: string, since: number): Promise<{ path: string }> {
  const deadline = Date.now() + COMPLETE_WITHIN_MS;
  for (;;) {
    const item = await newest(url, since);
    if (item?.state === "complete" && item.filename) return { path: item.filename };
    if (Date.now() > deadline)
      throw new Error(`target_not_found: no download of ${url.slice(0, 200)} was completed in this browser`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

export async function cancelDownload(url: string, since: number): Promise<object> {
  const item = await newest(url, since);
  if (item) await chrome.downloads.cancel(item.id);
  return {};
}
