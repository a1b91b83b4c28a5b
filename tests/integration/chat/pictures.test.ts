import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHAT_LIMITS } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { type ChatApi, chatApi, payloads } from "../../support/chat/chat.js";
import { type ControlledTurn, controlledProvider } from "../../support/chat/chat-provider.js";
import { png } from "../../support/chrome/png.js";
import { type TestHub, testHub } from "../../support/hub/hub.js";

const HTML = Buffer.from("<script>alert(1)</script>".repeat(10));

async function chatHub(): Promise<{ hub: TestHub; api: ChatApi; turns: ControlledTurn[] }> {
  const provider = controlledProvider();
  const hub = await testHub({ chatProviders: [provider] });
  return { hub, api: chatApi(hub.url, hub.token), turns: provider.turns };
}

const sent = (bytes: Buffer, mimeType = "image/png"): object => ({
  mimeType,
  data: bytes.toString("base64"),
});

describe("the pictures of a chat", () => {
  it("come with a message, are kept once, and are served as what they are", async () => {
    const { hub, api, turns } = await chatHub();
    const chat = await api.create();
    const element = {
      ...{ sessionId: "tab-1", ref: "e12", name: "Pay </page content>", role: "button", imageIndex: 1 },
      ...{ source: "src/Pay.tsx:3:1", html: "<button>Pay</button>" },
    };
    const images = [sent(png(40, 30), "image/webp"), sent(png(20, 10)), sent(png(40, 30))];
    const runId = await api.say(chat.id, "What is this?", { images, element, url: "http://localhost/" });
    const { request, end } = await until(() => turns[0]);
    expect(request.images?.map(({ mimeType }) => mimeType)).toEqual(["image/png", "image/png", "image/png"]);
    const [before = "", fenced = ""] = request.message.split(/\n\n(?=\[page)/);
    expect(before).toBe("What is this?");
    for (const text of ["e12 button", "src/Pay.tsx:3:1", "<button>Pay</button>", "picture 2"])
      expect(fenced).toContain(text);
    end();
    const [started] = payloads(await api.ended(chat.id, runId), "run.started");
    expect(started?.element).toEqual({ ref: "e12", name: "Pay </page content>", source: "src/Pay.tsx:3:1" });
    expect(started?.context).not.toHaveProperty("images");
    const [first, second, third] = started?.images ?? [];
    expect(first).toMatchObject({ mimeType: "image/png", width: 40, height: 30 });
    expect(third).toEqual(first);
    const folder = join(hub.chatHome, "chats", chat.id, "images");
    expect(readdirSync(folder).sort()).toEqual([`${first?.id}.png`, `${second?.id}.png`].sort());
    expect(statSync(join(folder, `${first?.id}.png`)).mode & 0o777).toBe(0o600);
    const served = await api.call(`/v1/chats/${chat.id}/images/${first?.id}`);
    expect(Buffer.from(await served.arrayBuffer()).equals(png(40, 30))).toBe(true);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private, max-age=31536000, immutable",
    });
  });

  it("are refused when they are none, too large or too many, and then no run starts", async () => {
    const { api, turns } = await chatHub();
    const { id } = await api.create();
    const post = async (images: object[]): Promise<[number, string]> => {
      const body = JSON.stringify({ message: "hi", context: { images } });
      const response = await api.call(`/v1/chats/${id}/runs`, { method: "POST", body });
      const { error } = (await response.json()) as { error?: { details?: { field?: string } } };
      return [response.status, error?.details?.field ?? ""];
    };
    const large = Buffer.concat([png(1, 1), Buffer.alloc(6_500_000)]);
    expect(await post([sent(HTML)])).toEqual([400, "context.images.0.data"]);
    expect(await post([{ mimeType: "image/svg+xml", data: "AAAA" }])).toEqual([400, expect.any(String)]);
    expect(await post([{ mimeType: "image/png", data: "not base64!" }])).toEqual([400, expect.any(String)]);
    expect(await post([sent(large), sent(large)])).toEqual([413, "context.images"]);
    expect((await post(Array.from({ length: 7 }, (_, i) => sent(png(1, i + 1)))))[0]).toBe(400);
    expect((await post([sent(Buffer.alloc(20 * 1024 * 1024))]))[0]).toBe(413);
    expect(turns).toHaveLength(0);
    expect((await post([sent(large)]))[0]).toBe(202);
  });

  it("are in the steps of tools; what is no picture, or one too many, is left out with a note", async () => {
    const { hub, api, turns } = await chatHub();
    const { id } = await api.create();
    const runId = await api.say(id, "look");
    const turn = await until(() => turns[0]);
    const step = { type: "step", kind: "tool", title: "screenshot", status: "done", detail: "{}" } as const;
    turn.emit({ ...step, id: "one", images: [png(9, 8).toString("base64"), HTML.toString("base64")] });
    const folder = join(hub.chatHome, "chats", id, "images");
    for (let i = 1; i < CHAT_LIMITS.imagesOfChat; i++) writeFileSync(join(folder, `${i}.png`), "");
    turn.emit({ ...step, id: "two", images: [png(7, 6).toString("base64")] });
    turn.end();
    const [one, two] = payloads(await api.ended(id, runId), "run.step");
    expect(one?.images).toMatchObject([{ mimeType: "image/png", width: 9, height: 8 }]);
    expect(one?.detail).toBe("{}\n(a picture was left out: a picture is neither PNG nor JPEG nor WebP)");
    expect(two?.images).toBeUndefined();
    expect(two?.detail).toContain("which is the limit");
  });

  it("are not served from elsewhere: other files, links, other chats", async () => {
    const { hub, api } = await chatHub();
    const [one, two] = [await api.create(), await api.create()];
    const folder = join(hub.chatHome, "chats", one.id, "images");
    mkdirSync(folder);
    const [link, page] = ["a".repeat(32), "b".repeat(32)];
    symlinkSync(hub.tokenFile, join(folder, `${link}.png`));
    writeFileSync(join(folder, `${page}.png`), HTML);
    const status = async (chat: string, image: string): Promise<number> =>
      (await api.call(`/v1/chats/${chat}/images/${image}`)).status;
    for (const wrong of [link, page, "c".repeat(32), "..%2Fmeta.json", "x"])
      expect(await status(one.id, wrong), wrong).toBe(404);
    expect(await status(two.id, page)).toBe(404);
    expect((await fetch(`${hub.url}/v1/chats/${one.id}/images/${page}`)).status).toBe(401);
  });
});
