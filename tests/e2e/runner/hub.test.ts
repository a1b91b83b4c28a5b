import { connect } from "@debug-bridge/client";
import type { Transport } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { until } from "../../fixtures.js";
import { testHub } from "../../support/hub.js";
import { chromeAt, gone, serve, stage } from "./stage.js";

const PAGE = `<!doctype html><title>Shop</title><button onclick="this.insertAdjacentHTML('afterend', '<button>Checkout</button>'); console.log('added')">Add</button>`;

/** A connection of an app to a hub. */
async function appTransport(hub: string, sessionId: string): Promise<Transport> {
  const socket = new WebSocket(`${hub.replace(/^http/, "ws")}/debug?role=app&sessionId=${sessionId}`);
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const transport: Transport = {
    onMessage: undefined,
    onClose: undefined,
    send: (data) => socket.send(data),
    close: () => socket.close(),
  };
  socket.on("message", (data) => transport.onMessage?.(String(data)));
  socket.on("close", () => transport.onClose?.("closed"));
  return transport;
}

describe("a launched browser in a hub", () => {
  it("is a session of kind browser, with the same refs, receipts and timeline as the others", async () => {
    const url = await serve({ "/": PAGE });
    const hub = await testHub();
    const on = stage();
    const transport = await appTransport(hub.url, "launched");
    const options = {
      onPage: (page: { connect(t: Transport, o: { sessionId: string; kind: "browser" }): void }) =>
        page.connect(transport, { sessionId: "launched", kind: "browser" }),
    };
    await on.run(`<type>start</type><url>${url}/</url>`, options);
    const agent = await connect({ hub: hub.url, sessionId: "launched", token: hub.token });
    await until(async () => {
      const { sessions } = (await (await hub.api("/v1/sessions")).json()) as {
        sessions: { id: string; kind: string }[];
      };
      return sessions.some(({ id, kind }) => id === "launched" && kind === "browser");
    });
    // What the agent sees, browser_action can click, and the other way round.
    const clicked = await on.run("<type>click</type><targets>Add</targets>");
    const ref = clicked.receipt?.appeared?.[0]?.ref;
    expect(ref).toBeDefined();
    const acted = await agent.act({ type: "click", target: { ref: ref as string } });
    expect(acted).toMatchObject({ success: true, receipt: { settled: true } });
    await agent.close();
  });

  it("is not kept when its session is closed while it is on its way", async () => {
    const on = stage();
    const answer = on.run("<type>start</type><url>http://localhost:3000/</url>");
    await until(() => {
      try {
        return chromeAt(on.home) > 0;
      } catch {
        return false;
      }
    });
    await on.sessions.closeSession("s");
    expect(await answer).toMatchObject({ success: false });
    await gone(on.home);
    expect(on.sessions.active).toEqual([]);
  });
});
