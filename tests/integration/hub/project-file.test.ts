import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures.js";
import { hello, type TestHub, testHub } from "../../support/hub/hub.js";

const fileOf = async (hub: TestHub, at: string, session = "s"): Promise<string | undefined> => {
  const query = new URLSearchParams({ session, at });
  return ((await (await hub.api(`/v1/project-file?${query}`)).json()) as { file?: string }).file;
};

// A path means something only on the machine of the hub that has the session: another hub does not answer for it.
it.skipIf(process.env.HUBS === "2")(
  "the file of a script is named only below the folder that a development server reported",
  async () => {
    const folder = temporaryFolder();
    const root = join(folder, "my shop");
    mkdirSync(join(root, "src"), { recursive: true });
    writeFileSync(join(root, "src/cart.ts"), "");
    writeFileSync(join(folder, "secret.txt"), "");
    symlinkSync(join(folder, "secret.txt"), join(root, "src/link.ts"));
    const hub = await testHub();
    const app = await hub.app("s", { origin: "http://localhost:3000" });
    app.send(hello);
    await expect.poll(async () => (await hub.api("/v1/sessions/s")).status).toBe(200);
    // A page cannot say where the project is.
    app.send({ type: "dev_server", bundler: "vite", root: folder });
    expect(await fileOf(hub, "src/cart.ts")).toBeUndefined();
    const report = { events: [{ type: "dev_server", bundler: "vite", root }] };
    await hub.api("/v1/sessions/s/dev-server", { method: "POST", body: JSON.stringify(report) });

    const cart = join(await realpath(root), "src/cart.ts");
    expect(await fileOf(hub, "src/cart.ts")).toBe(cart);
    expect(await fileOf(hub, "http://localhost:3000/src/cart.ts?t=17")).toBe(cart);
    for (const at of [
      "../secret.txt",
      "src/link.ts",
      "src",
      "src/none.ts",
      join(folder, "secret.txt"),
      "http://localhost:3000/%2e%2e%2fsecret.txt",
      "http://localhost:3000/%00",
      "http://localhost:3000/%E0",
      "http://localhost:3001/src/cart.ts",
      `file://${join(root, "src/cart.ts")}`,
      "javascript:alert(1)",
    ])
      expect(await fileOf(hub, at), at).toBeUndefined();
    expect(await fileOf(hub, "src/cart.ts", "other")).toBeUndefined();
    const { status } = await fetch(`${hub.url}/v1/project-file?session=s&at=src/cart.ts`);
    expect(status).toBe(401);
  },
);
