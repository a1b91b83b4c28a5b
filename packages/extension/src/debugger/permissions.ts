/// <reference types="chrome" />

/** The content setting for each permission of CDP. */
const SETTINGS: Record<string, string> = {
  geolocation: "location",
  notifications: "notifications",
  videoCapture: "camera",
  camera: "camera",
  audioCapture: "microphone",
  microphone: "microphone",
  clipboardReadWrite: "clipboard",
  clipboardSanitizedWrite: "clipboard",
  "clipboard-read": "clipboard",
  "clipboard-write": "clipboard",
  automaticDownloads: "automaticDownloads",
};

type Setting = "allow" | "block" | "ask";
interface ContentSetting {
  set(details: { primaryPattern: string; setting: string }): Promise<void>;
  clear(details: object): Promise<void>;
}

function settingOf(permission: string): ContentSetting {
  const name = SETTINGS[permission];
  const found = name && (chrome.contentSettings as unknown as Record<string, ContentSetting>)[name];
  if (found) return found;
  throw new Error(
    `not_supported: an extension cannot grant "${permission}"; it can grant ${Object.keys(SETTINGS).join(", ")}`,
  );
}

/** Allows or blocks a permission for a site, like Chrome's own settings. */
export async function setPermissions(
  origin: string | undefined,
  permissions: readonly string[],
  setting: Setting,
): Promise<object> {
  const primaryPattern = origin === undefined ? "<all_urls>" : `${new URL(origin).origin}/*`;
  for (const permission of permissions) {
    // Writing plain text needs no permission.
    if (permission === "clipboardSanitizedWrite" && setting === "allow") continue;
    await settingOf(permission).set({ primaryPattern, setting });
  }
  return {};
}

/** Resets everything that was set through this extension. */
export async function resetPermissions(): Promise<object> {
  for (const name of new Set(Object.keys(SETTINGS))) {
    try {
      await settingOf(name).clear({});
    } catch {
      // This version of Chrome does not have the setting.
    }
  }
  return {};
}
