/**
 * The extension's id. Chrome derives it from the `key` in the manifest, so it is the same wherever the folder lies, and
 * a hub can tell our extension from another by the `Origin` of its socket.
 */
export const EXTENSION_ID = "dhgkdhddoldfhgcjghpeaeiocampnkcb";
export const EXTENSION_ORIGIN = `chrome-extension://${EXTENSION_ID}`;
