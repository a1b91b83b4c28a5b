import type { ChromeSocket } from "./chrome-socket.js";

/** What `Browser.grantPermissions` calls otherwise than `Browser.setPermission`. */
const NAMES: Readonly<Record<string, string>> = {
  videoCapture: "camera",
  audioCapture: "microphone",
  clipboardReadWrite: "clipboard-read",
  clipboardSanitizedWrite: "clipboard-write",
  backgroundSync: "background-sync",
  paymentHandler: "payment-handler",
  storageAccess: "storage-access",
  localFonts: "local-fonts",
};
const SETTINGS: Readonly<Record<string, string>> = { allow: "granted", block: "denied", ask: "prompt" };

/** Sets permissions for an origin, or for every one. */
export async function setPermissions(
  socket: ChromeSocket,
  { permissions, setting, origin }: Readonly<Record<string, unknown>>,
): Promise<object> {
  for (const permission of permissions as readonly string[])
    await socket.call("Browser.setPermission", {
      permission: { name: NAMES[permission] ?? permission },
      setting: SETTINGS[String(setting)],
      ...(origin === undefined ? {} : { origin }),
    });
  return {};
}
