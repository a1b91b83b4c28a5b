import { readRegularBytes } from "@debug-bridge/journal";
import type { ProviderImage } from "@debug-bridge/protocol";

/** A picture as the APIs of models take it. */
export const readBase64 = ({ file }: Pick<ProviderImage, "file">): string =>
  readRegularBytes(file).toString("base64");
