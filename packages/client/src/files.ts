/** What is on disk: the home folder, its secrets and the files of running hubs. Loads nothing but the file system. */
export { homeFolder } from "./files/home.js";
export {
  announcedHubs,
  announceHub,
  cdpUrlOf,
  type HubDescription,
  type HubFile,
} from "./files/hub-files.js";
export { loadPairingKey, pairingKey, replacePairingKey } from "./files/pairing-key.js";
export { replaceFile } from "./files/replace-file.js";
export { loadToken, readToken, replaceToken, tokenOf } from "./files/token.js";
