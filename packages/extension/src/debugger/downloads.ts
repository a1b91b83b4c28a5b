/// <reference types="chrome" />

const DOWNLOAD_TIMEOUT_MS = 5_000;
const POLL_INTERVAL_MS = 50;

/** Chrome shortens these in its list of downloads; they differ by their beginning only. */
const OWN_CONTENT = /^(?:data|blob):/;

/** The newest download of a URL since a point in time. */
async function newest(url: string, since: number): Promise<chrome.downloads.DownloadItem | undefined> {
  const items = await chrome.downloads.search({ orderBy: ["-startTime"], limit: 20 });
  const recent = items.filter(({ startTime }) => Date.parse(startTime) >= since - 1_000);
  const [scheme] = OWN_CONTENT.exec(url) ?? [];
  return (
    recent.find((item) => item.url === url || item.finalUrl === url) ??
    recent.find((item) => scheme !== undefined && item.url.startsWith(scheme))
  );
}

/** The path of a downloaded file, once it is complete. */
export async function findDownload(url: string, since: number): Promise<{ path: string }> {
  const deadline = Date.now() + DOWNLOAD_TIMEOUT_MS;
  for (;;) {
    const item = await newest(url, since);
    if (item?.state === "complete" && item.filename) return { path: item.filename };
    if (Date.now() > deadline)
      throw new Error(
        `target_not_found: no download of ${url.slice(0, 200)} completed within ${DOWNLOAD_TIMEOUT_MS / 1_000} s`,
      );
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

export async function cancelDownload(url: string, since: number): Promise<object> {
  const item = await newest(url, since);
  if (item) await chrome.downloads.cancel(item.id);
  return {};
}
