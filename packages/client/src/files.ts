/** What is on disk: the home folder, the token and the files of running hubs. Loads nothing but the file system. */
export { homeFolder } from "./files/home.js";
export {
  announcedHubs,
  announceHub,
  cdpUrlOf,
  type HubDescription,
  type HubFile,
} from "./files/hub-files.js";
export { loadToken, readToken, tokenOf } from "./files/token.js";
