import { type Bus, type BusHandlers, LEASE_MS, type RegistryChange, WORK_MS } from "@debug-bridge/server";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../fixtures.js";
import { type ConnectBus, TestBuses } from "../../support/bus/bus.js";

type Channel = Awaited<ReturnType<Bus["open"]>>;

const buses = new TestBuses();
beforeAll(() => buses.start());
afterAll(() => buses.stop());

const NO_HANDLERS: BusHandlers = { onRequest: (body) => body, onChannel: () => {}, onNotice: () => {} };

/** The bus loses the next packet to an end of a channel. */
function loseOne(channel: Channel): void {
  const receive = channel.receive.bind(channel);
  channel.receive = () => {
    channel.receive = receive;
  };
}

describe.each(buses.kinds)("bus: %s [ARC-108]", (_name, makeBus) => {
  async function join(connect: ConnectBus, name: string, handlers: Partial<BusHandlers> = {}): Promise<Bus> {
    const bus = await connect(name);
    onTestFinished(() => bus.close());
    await bus.listen({ ...NO_HANDLERS, ...handlers });
    return bus;
  }

  async function pair(handlers: Partial<BusHandlers> = {}): Promise<[Bus, Bus]> {
    const connect = makeBus();
    return [await join(connect, "a"), await join(connect, "b", handlers)];
  }

  /** Two ends of an open channel. */
  async function channelPair(): Promise<[Channel, Channel, Bus, Bus]> {
    let accepted: Channel | undefined;
    const [a, b] = await pair({
      onChannel: (_head, channel) => {
        accepted = channel;
      },
    });
    const opened = await a.open(b.hub, "{}");
    return [opened, (await until(() => accepted)) as Channel, a, b];
  }

  test("every hub has its own name, even with the same first part", async () => {
    const connect = makeBus();
    const [a, b] = [await join(connect, "same"), await join(connect, "same")];
    expect(a.hub).toMatch(/^same-/);
    expect(b.hub).not.toBe(a.hub);
  });

  test("a value is seen by the other hub, and changes only for hubs that know its revision", async () => {
    const [a, b] = await pair();
    expect(await b.sessions.get("no such key")).toBeUndefined();
    const first = await a.sessions.compareAndSet("shop / ü", "of a", 0);
    expect(await b.sessions.get("shop / ü")).toEqual({ key: "shop / ü", value: "of a", revision: first });
    expect(await b.sessions.compareAndSet("shop / ü", "of b", 0)).toBeUndefined();
    const second = await b.sessions.compareAndSet("shop / ü", "of b", first as number);
    expect(second).toBeGreaterThan(first as number);
    await a.sessions.delete("shop / ü", first);
    expect((await a.sessions.get("shop / ü"))?.value).toBe("of b");
    await a.sessions.delete("shop / ü", second);
    expect(await b.sessions.get("shop / ü")).toBeUndefined();
    expect(await a.sessions.compareAndSet("shop / ü", "again", 0)).toBeGreaterThan(second as number);
  });

  test("of many hubs that claim a key at once, exactly one gets it", async () => {
    const connect = makeBus();
    const hubs = await Promise.all(["a", "b", "c", "d"].map((name) => join(connect, name)));
    const claims = await Promise.all(hubs.map(({ sessions, hub }) => sessions.compareAndSet("k", hub, 0)));
    expect(claims.filter((revision) => revision !== undefined)).toHaveLength(1);
  });

  test("a watcher gets what exists before the watch resolves, then every change and deletion", async () => {
    const [a, b] = await pair();
    await a.sessions.put("one", "1");
    const seen: RegistryChange[] = [];
    await b.sessions.watch((change) => seen.push(change));
    expect(seen.map(({ key, value }) => [key, value])).toEqual([["one", "1"]]);
    await a.sessions.put("two", "2");
    await a.sessions.delete("one");
    await until(() => seen.length === 3);
    expect(seen.map(({ key, value }) => [key, value])).toEqual([
      ["one", "1"],
      ["two", "2"],
      ["one", undefined],
    ]);
    const fresh: RegistryChange[] = [];
    await a.hubs.watch((change) => fresh.push(change));
    expect(fresh).toEqual([]);
  });

  test("a watcher misses no change while other keys are deleted", async () => {
    const [a, b] = await pair();
    const keys = Array.from({ length: 100 }, (_, i) => `key ${i}`);
    for (const key of keys) await a.sessions.put(`old ${key}`, "");
    const seen = new Set<string>();
    await b.sessions.watch(({ key }) => seen.add(key));
    await Promise.all(keys.flatMap((key) => [a.sessions.put(key, ""), a.sessions.delete(`old ${key}`)]));
    await a.sessions.put("last", "");
    await until(() => seen.has("last"));
    expect(keys.filter((key) => !seen.has(key))).toEqual([]);
  });

  test("a watch resolves while values are replaced all the time", async () => {
    const [a, b] = await pair();
    await a.sessions.put("busy", "0");
    let isBusy = true;
    const replacing = (async () => {
      for (let value = 1; isBusy; value++) await a.sessions.put(`busy ${value % 3}`, String(value));
    })();
    const started = Date.now();
    for (let times = 0; times < 20; times++) await b.sessions.watch(() => {});
    isBusy = false;
    await replacing;
    // None of them had to give up waiting for a value.
    expect(Date.now() - started).toBeLessThan(20 * LEASE_MS);
  });

  test("the value of a hub that does not renew it expires", async () => {
    const [a, b] = await pair();
    await a.hubs.put(a.hub, "alive");
    expect((await b.hubs.get(a.hub))?.value).toBe("alive");
    const started = Date.now();
    await until(async () => (await b.hubs.get(a.hub)) === undefined);
    expect(Date.now() - started).toBeGreaterThan(LEASE_MS / 2);
  });

  test("a request is answered, and an error of the other hub arrives with its code", async () => {
    const [a, b] = await pair({
      onRequest(body, from) {
        if (body === "fail") throw Object.assign(new Error("no"), { code: "internal" });
        return `${from} said ${body}`;
      },
    });
    expect(await a.request(b.hub, "hello")).toBe(`${a.hub} said hello`);
    await expect(a.request(b.hub, "fail")).rejects.toMatchObject({ code: "internal" });
  });

  test("a request to a hub that does not exist, or does not answer in time, fails and says so", async () => {
    const [a, b] = await pair({ onRequest: () => new Promise<string>(() => {}) });
    await expect(a.request("nobody-000000", "x")).rejects.toThrow(/"nobody-000000".*does not answer/);
    await expect(a.request(b.hub, "x", 100)).rejects.toThrow(/does not answer/);
    await expect(a.open("nobody-000000", "{}")).rejects.toThrow(/does not answer/);
  });

  test("a hub is connected until it has left", async () => {
    const [a, b] = await pair({ onRequest: () => new Promise<string>(() => {}) });
    expect(await a.isConnected(b.hub)).toBe(true);
    await b.close();
    expect(await a.isConnected(b.hub)).toBe(false);
    expect(await a.isConnected("nobody-000000")).toBe(false);
  });

  test("a request that is too large is refused before it is sent", async () => {
    const [a, b] = await pair();
    await expect(a.request(b.hub, "x".repeat(1_000_000))).rejects.toMatchObject({ code: "too_large" });
  });

  test("a notice reaches all other hubs", async () => {
    const connect = makeBus();
    const seen: string[] = [];
    const onNotice = (text: string, from: string): void => void seen.push(`${from}: ${text}`);
    const a = await join(connect, "a", { onNotice });
    await join(connect, "b", { onNotice });
    await join(connect, "c", { onNotice });
    a.notify("changed");
    await until(() => seen.length === 2);
    expect(seen).toEqual([`${a.hub}: changed`, `${a.hub}: changed`]);
  });

  test("a notice of a hub that is leaving is dropped", async () => {
    const [a] = await pair();
    let isClosed = false;
    const closing = a.close().then(() => {
      isClosed = true;
    });
    while (!isClosed) {
      a.notify("late");
      await new Promise((resolve) => setImmediate(resolve));
    }
    await closing;
    a.notify("later");
  });

  test("a channel carries messages of any size in both directions, in order", async () => {
    const [mine, theirs] = await channelPair();
    const sizes = [0, 1, 512 * 1024, 512 * 1024 + 1, 1_300_000, 5, 3_000_000];
    const got: number[] = [];
    const back: string[] = [];
    theirs.onMessage = (data) => {
      got.push(data.length);
      theirs.send(`${got.length}`);
    };
    mine.onMessage = (data) => back.push(data.toString());
    for (const size of sizes) mine.send(Buffer.alloc(size, 7));
    await until(() => back.length === sizes.length);
    expect(got).toEqual(sizes);
    expect(back).toEqual(sizes.map((_size, i) => `${i + 1}`));
  });

  test("messages that come before somebody reads are not lost", async () => {
    let accepted: Channel | undefined;
    const [a, b] = await pair({
      onChannel: (_head, channel) => {
        accepted = channel;
        for (let i = 0; i < 100; i++) channel.send(`early ${i}`);
      },
    });
    const mine = await a.open(b.hub, "{}");
    await until(() => accepted);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const got: string[] = [];
    mine.onMessage = (data) => got.push(data.toString());
    await until(() => got.length === 100);
    expect(got[99]).toBe("early 99");
  });

  test("a reader that pauses holds up the sender, whose bytes are counted, until it reads on", async () => {
    const [mine, theirs] = await channelPair();
    let read = 0;
    theirs.onMessage = (data) => {
      read += data.length;
    };
    theirs.pause();
    const drained = new Promise<void>((resolve) => {
      mine.onDrain = resolve;
    });
    for (let i = 0; i < 80; i++) mine.send(Buffer.alloc(100_000));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(mine.buffered).toBe(8_000_000);
    expect(read).toBeLessThan(3_000_000);
    theirs.resume();
    await drained;
    await until(() => read === 8_000_000);
    expect(mine.buffered).toBeLessThan(3_000_000);
  });

  test("a channel whose reader never reads is closed before it costs too much memory", async () => {
    const [mine, theirs] = await channelPair();
    theirs.pause();
    const closed = new Promise<number>((resolve) => {
      mine.onClose = resolve;
    });
    for (let i = 0; i < 200; i++) mine.send(Buffer.alloc(500_000));
    expect(await closed).toBe(1013);
  });

  test("closing one end closes the other with its code and reason, after what was sent before", async () => {
    const [mine, theirs] = await channelPair();
    const events: string[] = [];
    theirs.onMessage = (data) => events.push(data.toString());
    theirs.onClose = (code, reason) => events.push(`${code} ${reason}`);
    mine.send("last words");
    mine.close(4001, "done here");
    mine.send("too late");
    await until(() => events.length === 2);
    expect(events).toEqual(["last words", "4001 done here"]);
  });

  test("a channel that the other hub refuses rejects with its error", async () => {
    const [a, b] = await pair({
      onChannel() {
        throw Object.assign(new Error("not here"), { code: "session_not_found" });
      },
    });
    await expect(a.open(b.hub, "{}")).rejects.toThrow();
  });

  test("channels end when their hub closes, and when it is known to be gone", async () => {
    const [mine, , a, b] = await channelPair();
    const closed = new Promise<string>((resolve) => {
      mine.onClose = (_code, reason) => resolve(reason);
    });
    a.dropHub(b.hub);
    expect(await closed).toContain("is gone");
    const [, theirs, c] = await channelPair();
    const ended = new Promise<number>((resolve) => {
      theirs.onClose = resolve;
    });
    await c.close();
    expect(await ended).toBe(1001);
  });

  test("packets that are cut, repeated or of no known type end the channel", async () => {
    for (const packet of [Buffer.from([0]), Buffer.from([0, 0, 0, 0, 9, 1]), Buffer.from([77, 0, 0, 0, 0])]) {
      const [mine] = await channelPair();
      const closed = new Promise<number>((resolve) => {
        mine.onClose = resolve;
      });
      mine.receive(packet);
      expect(await closed).toBe(1011);
    }
  });

  test("a channel whose first, only or last packet was lost closes at both ends, though nothing follows", async () => {
    for (const dropped of ["first", "last"]) {
      const [mine, theirs] = await channelPair();
      const reasons: string[] = [];
      for (const end of [mine, theirs]) end.onClose = (code, reason) => reasons.push(`${code} ${reason}`);
      const got: string[] = [];
      theirs.onMessage = (data) => got.push(data.toString());
      if (dropped === "last") {
        mine.send("before");
        await until(() => got.length === 1);
      }
      loseOne(theirs);
      mine.send("lost");
      await until(() => reasons.length === 2);
      expect(reasons).toEqual(Array(2).fill("1011 messages between the hubs were lost"));
      expect(got).toEqual(dropped === "last" ? ["before"] : []);
    }
  });

  test("a channel whose end was lost closes at the other end, too", async () => {
    const [mine, theirs] = await channelPair();
    const closed = new Promise<string>((resolve) => {
      theirs.onClose = (_code, reason) => resolve(reason);
    });
    loseOne(theirs);
    mine.close(1000, "done");
    expect(await closed).toBe("messages between the hubs were lost");
  });

  test("the log keeps what was appended, by session and in order, until it is purged", async () => {
    const [a, b] = await pair();
    const first = (await a.log.append("s one", "1", 0)) as number;
    const other = (await a.log.append("other", "x", 0)) as number;
    const second = (await a.log.append("s one", "2", first)) as number;
    const [one, two] = [
      { number: first, text: "1" },
      { number: second, text: "2" },
    ];
    expect(await b.log.read("s one", second)).toEqual([one, two]);
    expect(await b.log.read("s one", first)).toEqual([one]);
    expect(await b.log.newest("s one")).toEqual(two);
    expect(await b.log.newest("nothing")).toBeUndefined();
    expect(await b.log.next("s one", 0)).toEqual(one);
    expect(await b.log.next("s one", first)).toEqual(two);
    expect(await b.log.next("s one", second)).toBeUndefined();
    await b.log.purge("s one");
    expect(await a.log.newest("s one")).toBeUndefined();
    expect(await a.log.read("other", other)).toEqual([{ number: other, text: "x" }]);
  });

  test("the log stores a text only for hubs that know the newest one", async () => {
    const [a, b] = await pair();
    const first = (await a.log.append("s", "of a", 0)) as number;
    expect(await b.log.append("s", "of b", 0)).toBeUndefined();
    const second = (await b.log.append("s", "of b", first)) as number;
    expect(second).toBeGreaterThan(first);
    expect(await a.log.append("s", "of a", first)).toBeUndefined();
    expect((await a.log.read("s", second)).map(({ text }) => text)).toEqual(["of a", "of b"]);
  });

  test("texts of the queue are given to one hub each, the oldest of a key first", async () => {
    const [a, b] = await pair();
    expect(await a.queue.keys()).toEqual([]);
    for (const text of ["1", "2", "3"]) await a.queue.put("place=eu,size=ü", text);
    await b.queue.put("", "4");
    expect((await b.queue.keys()).sort()).toEqual(["", "place=eu,size=ü"]);
    const taken = [];
    for (const bus of [a, b, a]) taken.push(await bus.queue.claim("place=eu,size=ü"));
    expect(taken.map((item) => [item?.text, item?.attempt])).toEqual([
      ["1", 1],
      ["2", 1],
      ["3", 1],
    ]);
    expect(await b.queue.claim("place=eu,size=ü")).toBeUndefined();
    for (const item of taken) await item?.done();
    await (await a.queue.claim(""))?.done();
    expect(await a.queue.keys()).toEqual([]);
  });

  test("a text goes to another hub when one gives it back, or does not keep it", async () => {
    const [a, b] = await pair();
    await a.queue.put("any", "first");
    await a.queue.put("any", "second");
    (await a.queue.claim("any"))?.giveBack();
    const again = await until(() => b.queue.claim("any"));
    expect([again.text, again.attempt]).toEqual(["first", 2]);
    const kept = await b.queue.claim("any");
    const keeping = setInterval(() => kept?.keep(), WORK_MS / 4);
    onTestFinished(() => clearInterval(keeping));
    // Nobody keeps the first one.
    const third = await until(() => a.queue.claim("any"));
    expect([third.text, third.attempt]).toEqual(["first", 3]);
    await third.done();
    clearInterval(keeping);
    await kept?.done();
    expect(await b.queue.claim("any")).toBeUndefined();
  });
});
