import type { CDPSession } from "puppeteer-core";
import { isLocalUrl } from "../report/local-url.js";

/**
 * Accepts certificates that are not trusted, of servers on this machine. All others are refused; Chrome then says only that the
 * request was aborted, so the reason is reported.
 */
export async function acceptLocalCertificates(
  cdp: CDPSession,
  onRefused: (message: string) => void = () => {},
): Promise<void> {
  cdp.on("Security.certificateError", ({ eventId, requestURL, errorType }) => {
    const action = isLocalUrl(requestURL) ? "continue" : "cancel";
    if (action === "cancel")
      onRefused(
        `${errorType}: the certificate of ${new URL(requestURL).host}, which is not this machine, is not trusted`,
      );
    cdp.send("Security.handleCertificateError", { eventId, action }).catch(() => {});
  });
  await cdp.send("Security.enable");
  await cdp.send("Security.setOverrideCertificateErrors", { override: true });
}
