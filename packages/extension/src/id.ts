/**
 * The extension's id. Chrome derives it from the `key` in the manifest, so it does not depend on the folder. A hub
 * recognises our extension by the `Origin` of its sockets.
 */
export const EXTENSION_ID = "dhgkdhddoldfhgcjghpeaeiocampnkcb";
export const EXTENSION_ORIGIN = `chrome-extension://${EXTENSION_ID}`;
