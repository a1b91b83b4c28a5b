/**
 * An ability that reaches beyond the shared page. A person gives each of them to a client on its own:
 * `cookies` (cookies and stored data of all sites), `permissions`, `files` (local files), `downloads` (where they go),
 * `new-sites` (open tabs).
 */
export type Grant = "cookies" | "permissions" | "files" | "downloads" | "new-sites";

export const GRANTS: readonly Grant[] = ["cookies", "permissions", "files", "downloads", "new-sites"];

/** The grant for methods that reach the whole profile. What is not named here reads or changes data of other sites. */
const GRANT_OF: Readonly<Record<string, Grant>> = {
  "Browser.grantPermissions": "permissions",
  "Browser.resetPermissions": "permissions",
  "Browser.setPermission": "permissions",
  "Browser.setDownloadBehavior": "downloads",
  "Page.setDownloadBehavior": "downloads",
  "DOM.getFileInfo": "files",
  "DOM.setFileInputFiles": "files",
  "FileSystem.getDirectory": "files",
  "Target.createTarget": "new-sites",
};

/** The grant that a method of the class `profile` needs. */
export function grantFor(method: string): Grant {
  return GRANT_OF[method] ?? "cookies";
}

/** What a grant lets a client do, as part of a sentence. */
export const GRANT_TEXT: Readonly<Record<Grant, string>> = {
  cookies: "reach cookies and stored data of all sites",
  permissions: "change permissions of sites",
  files: "use local files",
  downloads: "choose where downloads go",
  "new-sites": "open new tabs",
};
