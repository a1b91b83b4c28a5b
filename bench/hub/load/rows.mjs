/**
 * The attacks of the load table. Each runs until its process is killed; those that connect again after they were cut off
 * do what a determined attacker would do.
 */
import { request } from "node:http";
import { connect } from "node:net";
import { WebSocket } from "ws";

const MB = 1024 * 1024;
/** What an attacker queues on one connection before it waits. */
const MAX_QUEUED = 4 * MB;
const EXTENSION = "chrome-extension://dhgkdhddoldfhgcjghpeaeiocampnkcb";

const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));
const times = (count, make) => Promise.all(Array.from({ length: count }, (_, i) => make(i)));
const address = (url) => ({ port: Number(new URL(url).port), host: "127.0.0.1" });

const appUrl = (hub, id = "s") => `${hub.url.replace("http", "ws")}/debug?role=app&sessionId=${id}`;
const agentUrl = (hub, id = "s") =>
  `${hub.url.replace("http", "ws")}/debug?role=agent&sessionId=${id}&token=${hub.token}`;
const consoleUrl = (hub) => `${hub.console}?token=${hub.token}`;
const cdpUrl = (hub) => `${hub.relay}/cdp?token=${hub.token}`;

const base = (id = "s") => ({ sessionId: id, timestamp: Date.now(), origin: "app" });
const hello = (id = "s") =>
  JSON.stringify({
    ...base(id),
    type: "hello",
    url: "http://localhost/",
    userAgent: "x",
    instanceId: `i${id}`,
  });
const line = (id = "s", text = "x".repeat(100)) =>
  JSON.stringify({ ...base(id), type: "console", level: "log", args: [text] });

/** Opens a connection; `deaf` ones never read. */
function open(url, { deaf = false, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, ...options });
    socket.on("error", reject);
    socket.on("open", () => {
      if (deaf) socket.pause();
      resolve(socket);
    });
  });
}

/** Sends the same text without end, over a new connection whenever the hub closed the last one. */
async function flood(url, text, { deaf = false, first = [] } = {}) {
  for (;;) {
    try {
      const socket = await open(url, { deaf });
      for (const message of first) socket.send(message);
      while (socket.readyState === WebSocket.OPEN) {
        for (let i = 0; i < 200; i++) socket.send(text, { binary: false });
        while (socket.readyState === WebSocket.OPEN && socket.bufferedAmount > MAX_QUEUED) await pause(1);
        await new Promise((resolve) => setImmediate(resolve));
      }
      socket.terminate();
    } catch {}
    await pause(10);
  }
}

const idleTcp = (hub, head = "") =>
  times(
    2_000,
    () =>
      new Promise((resolve) => {
        const socket = connect(address(hub.url), () => resolve(socket));
        socket.on("error", resolve);
        socket.write(head);
      }),
  );

/** Apps that each send the first part of a message and never the rest. */
const unfinished = (count, megabytes) => ({
  open: true,
  ends: true,
  attack: async (hub) => {
    const part = Buffer.alloc(megabytes * MB, 0x78);
    for (let i = 0; i < count; i++)
      open(appUrl(hub, `part${i}`)).then(
        (socket) => socket.send(part, { fin: false }),
        () => {},
      );
    await pause(1_000);
  },
});

async function bigStates(hub, count) {
  await times(2, async (n) => {
    const socket = await open(appUrl(hub, `big${n}`));
    socket.send(hello(`big${n}`));
    const state = "x".repeat(4 * MB - 1_000);
    for (let i = 0; i < count; i++) {
      socket.send(JSON.stringify({ ...base(`big${n}`), type: "state_update", scope: `c${i}`, state }));
      while (socket.bufferedAmount > 16 * MB) await pause(5);
    }
  });
}

function post(hub, bytes) {
  return new Promise((resolve) => {
    const { port } = address(hub.url);
    const headers = { authorization: `Bearer ${hub.token}`, "content-length": bytes };
    const sent = request({
      port,
      host: "127.0.0.1",
      method: "POST",
      path: "/v1/sessions/victim/commands",
      headers,
    });
    sent.on("response", (response) => response.resume().on("end", resolve));
    sent.on("error", resolve);
    const part = Buffer.alloc(MB, 0x20);
    let left = bytes / MB;
    const more = () => {
      while (left-- > 0) if (!sent.write(part)) return sent.once("drain", more);
      sent.end();
    };
    more();
  });
}

/** `open`: the attacker has no token, and may raise the memory less. `ends`: the attack is over when all is sent. `startsLater`: when all of its connections are open. */
export const ROWS = {
  "2,000 idle TCP connections": { open: true, ends: true, attack: (hub) => idleTcp(hub) },
  "2,000 slow-loris requests": {
    open: true,
    ends: true,
    attack: (hub) => idleTcp(hub, "GET /v1/sessions HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: "),
  },
  "2,000 idle apps": {
    open: true,
    ends: true,
    attack: async (hub) => {
      for (let batch = 0; batch < 20; batch++)
        await times(100, async (i) =>
          (await open(appUrl(hub, `idle${batch}-${i}`))).send(hello(`idle${batch}-${i}`)),
        );
    },
  },
  "200 agents that never read": {
    startsLater: true,
    attack: async (hub, started) => {
      await times(200, () => open(agentUrl(hub), { deaf: true }));
      started();
      await flood(appUrl(hub), line("s", "x".repeat(3_000)));
    },
  },
  "app, valid frames": { open: true, attack: (hub) => flood(appUrl(hub), line()) },
  "app, invalid frames": { open: true, attack: (hub) => flood(appUrl(hub), '{"type":"nonsense"}') },
  "app, invalid frames, never reading": {
    open: true,
    attack: (hub) => flood(appUrl(hub), '{"type":"nonsense"}', { deaf: true }),
  },
  "app, WebSocket pings, never reading": {
    open: true,
    attack: async (hub) => {
      const socket = await open(appUrl(hub), { deaf: true });
      for (;;) {
        for (let i = 0; i < 500; i++) socket.ping("x".repeat(100));
        while (socket.bufferedAmount > MAX_QUEUED) await pause(1);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  },
  "agent, commands": {
    attack: async (hub) => {
      const command = {
        sessionId: "slow",
        timestamp: 1,
        origin: "agent",
        type: "click",
        target: { ref: "e1" },
      };
      // The app of this session never answers.
      (await open(appUrl(hub, "slow"))).send(hello("slow"));
      await flood(agentUrl(hub, "slow"), JSON.stringify(command));
    },
  },
  "agent, invalid frames, never reading": { attack: (hub) => flood(agentUrl(hub), "{}", { deaf: true }) },
  "console wire, pings, never reading": {
    attack: (hub) =>
      flood(
        consoleUrl(hub),
        JSON.stringify({
          version: "1.0.0",
          type: "ping",
          timestamp: new Date().toISOString(),
          payload: { id: "x".repeat(200) },
        }),
        { deaf: true },
      ),
  },
  "console wire, batches of wrong items": {
    attack: (hub) =>
      flood(consoleUrl(hub), JSON.stringify(Array.from({ length: 1_000 }, () => ({ type: "x" })))),
  },
  "CDP client, never reading": {
    attack: (hub) => flood(cdpUrl(hub), '{"id":1,"method":"Browser.getVersion"}', { deaf: true }),
  },
  "2 apps, 60 x 4 MB of state each": { open: true, ends: true, attack: (hub) => bigStates(hub, 60) },
  "60 apps, unfinished messages of 15 MB": unfinished(60, 15),
  "120 apps, unfinished messages of 7 MB": unfinished(120, 7),
  "frames of 100 MB as an app": {
    open: true,
    ends: true,
    attack: async (hub) => {
      for (let i = 0; i < 5; i++) {
        const socket = await open(appUrl(hub));
        socket.send(Buffer.alloc(100 * MB, 0x78));
        await pause(50);
      }
    },
  },
  "5 frames of 100 MB on /extension, forged Origin": {
    open: true,
    ends: true,
    attack: async (hub) => {
      await times(5, async () => {
        const socket = await open(`${hub.relay}/extension`, { origin: EXTENSION }).catch(() => {});
        socket?.send(Buffer.alloc(100 * MB, 0x78));
      });
    },
  },
  "POST of 300 MB": { ends: true, attack: (hub) => post(hub, 300 * MB) },
  "1,500 short recorded sessions": {
    open: true,
    ends: true,
    record: true,
    attack: async (hub) => {
      for (let batch = 0; batch < 30; batch++)
        await times(50, async (i) => {
          const socket = await open(appUrl(hub, `short${batch}-${i}`));
          socket.send(hello(`short${batch}-${i}`));
          await new Promise((resolve) => socket.once("message", resolve));
          socket.terminate();
        });
    },
  },
};
