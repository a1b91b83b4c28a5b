import { Masker } from "@debug-bridge/page/records";

const masker = new Masker();

/** A URL without its password and the values of its secret parameters, for logs. */
export const maskUrl = (url: string): string => masker.url(url);
