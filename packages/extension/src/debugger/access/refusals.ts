/** The refusal of everything in a tab that the person does not share. */
export function notShared(tabId: number): string {
  return `target_not_found: the person does not share tab ${tabId}, or it does not exist; call listTabs, or ask the person to share it in the Debug Bridge popup`;
}

/** Explains Chrome's error when a debugger cannot be attached. */
export function explainAttach(message: string, tabId: number): string {
  if (/chrome-extension:\/\/ URL of different extension/i.test(message))
    return `not_supported: tab ${tabId} shows a page or a frame of another extension (for example a password manager), which Chrome does not let others debug. Close what that extension shows in the page, or turn it off for this site`;
  if (/Cannot (access|attach)|extensions gallery|chrome:\/\//i.test(message))
    return `not_supported: tab ${tabId} is restricted: ${message}`;
  if (/No tab with/i.test(message))
    return `target_not_found: tab ${tabId} was closed; call listTabs to see the open tabs`;
  if (/Another debugger/i.test(message))
    return `conflict: another extension is debugging tab ${tabId}; stop it there first`;
  return `internal: tab ${tabId} cannot be attached: ${message}`;
}
