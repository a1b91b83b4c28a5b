export type { PictureStore as PictureKeeper } from "./picture-store.js";
