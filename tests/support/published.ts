import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installInto, packAll } from "../../scripts/lib/pack.mjs";

/** Every package, packed as `npm publish` would and installed into an empty folder. */
export async function installPublished(): Promise<{ app: string; tarballs: string[]; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "debug-bridge-published-"));
  const tarballs = (await packAll(join(folder, "tarballs"))).map(({ file }) => file);
  const app = join(folder, "my-app");
  await installInto(app, tarballs);
  // A Chrome whose hub was killed ends by itself, and writes its profile until then.
  const patience = { maxRetries: 20, retryDelay: 100 };
  return { app, tarballs, remove: () => rmSync(folder, { recursive: true, force: true, ...patience }) };
}
