import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installInto, packAll } from "../../../scripts/lib/pack.mjs";
import { removeFolder } from "../../fixtures.js";

/** Every package, packed as `npm publish` would and installed into an empty folder. */
export async function installPublished(): Promise<{
  app: string;
  tarballs: string[];
  remove(): Promise<void>;
}> {
  const folder = mkdtempSync(join(tmpdir(), "debug-bridge-published-"));
  const tarballs = (await packAll(join(folder, "tarballs"))).map(({ file }) => file);
  const app = join(folder, "my-app");
  await installInto(app, tarballs);
  return { app, tarballs, remove: () => removeFolder(folder) };
}
