/// <reference types="chrome" />
import { scriptsFor } from "./sites.js";

/** Registers the content scripts for the captured sites that Chrome still permits. Returns those sites. */
export async function registerScripts(sites: readonly string[]): Promise<readonly string[]> {
  const permitted: string[] = [];
  for (const site of sites) if (await chrome.permissions.contains({ origins: [site] })) permitted.push(site);
  const scripts = scriptsFor(permitted);
  const registered = new Set((await chrome.scripting.getRegisteredContentScripts()).map(({ id }) => id));
  if (scripts.every(({ id }) => registered.has(id))) await chrome.scripting.updateContentScripts(scripts);
  else {
    await chrome.scripting.unregisterContentScripts();
    await chrome.scripting.registerContentScripts(scripts);
  }
  return permitted;
}
