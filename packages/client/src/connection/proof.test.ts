import { createHmac } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { HubClient } from "../hub-client.js";
import { checkHub, hubProof } from "./proof.js";

const TOKEN = "t".repeat(43);

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("the proof", () => {
  it("is the HMAC-SHA256 of the nonce under the token", () => {
    const nonce = "n".repeat(32);
    expect(hubProof(TOKEN, nonce)).toBe(createHmac("sha256", TOKEN).update(nonce).digest("hex"));
    for (const wrong of ["", "short", "x".repeat(129), `${nonce}\n`, "ü".repeat(20)])
      expect(hubProof(TOKEN, wrong)).toBeUndefined();
  });

  it("is asked for without the token, and holds for one nonce only", async () => {
    const seen: string[] = [];
    let fixed: string | undefined;
    const url = await serve((request, response) => {
      seen.push(JSON.stringify([request.url, request.headers]));
      const nonce = new URL(request.url ?? "", "http://x").searchParams.get("nonce") ?? "";
      fixed ??= hubProof(TOKEN, nonce);
      response.end(JSON.stringify({ ok: true, version: "1", proof: fixed }));
    });
    expect(await checkHub(url, TOKEN)).toMatchObject({ isProven: true });
    expect(await checkHub(url, TOKEN)).toMatchObject({ isProven: false });
    expect(await checkHub(url, undefined)).toMatchObject({ isProven: false });
    expect(seen.join()).not.toContain(TOKEN);
  });

  it.each([
    ["no JSON", "<html>"],
    ["null", "null"],
    ["no hub", '{"ok":false}'],
    ["a wrong proof", '{"ok":true,"proof":"00"}'],
    ["a proof that is no text", '{"ok":true,"proof":{"a":1}}'],
  ])("is missing when the server answers %s", async (_what, body) => {
    const url = await serve((_request, response) => response.end(body));
    expect((await checkHub(url, TOKEN))?.isProven ?? false).toBe(false);
  });
});

describe("a client", () => {
  it("sends the token to a hub that proved itself, with one check for each connection", async () => {
    const paths: string[] = [];
    const url = await serve((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
      paths.push(`${pathname} ${request.headers.authorization === `Bearer ${TOKEN}`}`);
      const proof = hubProof(TOKEN, searchParams.get("nonce") ?? "");
      response.end(JSON.stringify(pathname === "/healthz" ? { ok: true, proof } : { sessions: [] }));
    });
    const hub = new HubClient({ hub: url, token: TOKEN });
    await Promise.all([hub.sessions(), hub.sessions()]);
    await hub.sessions();
    await hub.sessions();
    expect(paths.sort()).toEqual([...Array(2).fill("/healthz false"), ...Array(4).fill("/v1/sessions true")]);
  });

  it("sends no token to a server that only claims to be a hub", async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(JSON.stringify([request.url, request.headers]));
      response.statusCode = request.url?.startsWith("/healthz") ? 200 : 401;
      response.end(
        JSON.stringify({ ok: true, proof: "0".repeat(64), error: { code: "auth_required", message: "no" } }),
      );
    });
    const hub = new HubClient({ hub: url, token: TOKEN });
    await expect(hub.sessions()).rejects.toMatchObject({ code: "auth_required" });
    await expect(hub.session("s")).rejects.toThrow();
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.join()).not.toContain(TOKEN);
  });
});
