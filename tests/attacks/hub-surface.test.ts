import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../fixtures.js";
import { testHub } from "../support/hub/hub.js";

describe("low: what the hub shows to strangers", () => {
  it.each(["/healthz", "/v1/sessions", "/v1/nothing", "/nothing"])(
    "%s is never guessed to be another type",
    async (path) => {
      const hub = await testHub();
      const response = await hub.api(path);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      const refused = await fetch(`${hub.url}${path}`, { headers: { origin: "https://evil.example" } });
      expect(refused.headers.get("x-content-type-options")).toBe("nosniff");
    },
  );

  it("a script that loads does not reveal to a foreign page that a hub runs", async () => {
    const file = join(temporaryFolder(), "sdk.js");
    writeFileSync(file, "globalThis.loaded = true;");
    const hub = await testHub({
      assets: new Map([["/sdk.js", { file, type: "text/javascript" }]]),
      allowOrigins: ["https://mine.example"],
    });
    const load = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${hub.url}/sdk.js`, { headers: { "sec-fetch-site": "cross-site", ...headers } })).status;
    expect(await load({ referer: "https://evil.example/" })).toBe(403);
    expect(await load({ origin: "https://evil.example" })).toBe(403);
    expect(await load({ origin: "null" })).toBe(403);
    expect(await load({})).toBe(403);
    expect(await load({ referer: "http://localhost:3000/" })).toBe(200);
    expect(await load({ origin: "https://mine.example" })).toBe(200);
    expect(await load({ "sec-fetch-site": "same-origin" })).toBe(200);
    expect((await fetch(`${hub.url}/sdk.js`)).status).toBe(200);
  });

  it.each(["\u0085", "\u009b31m", "\u202egpj.exe", "\u2066x", "a\u200fb", "\u2028", "\ud800"])(
    "an id with %j, which would change what a terminal shows, is refused",
    async (id) => {
      const hub = await testHub();
      const app = await hub.app();
      app.send({ type: "hello", url: "http://localhost/", userAgent: "x", instanceId: `i${id}` });
      expect(await app.next("bridge_error")).toMatchObject({ details: { field: "instanceId" } });
      if (id === "\ud800") return;
      await expect(hub.app(`s${id}`)).rejects.toMatchObject({ status: 400 });
    },
  );

  it("an id with letters of any script, or with pictures, is accepted", async () => {
    const hub = await testHub();
    for (const id of ["größe", "日本語", "🛒", "a b", "tab.1"]) await hub.app(id);
  });
});
