import { expect } from "vitest";
import { until } from "../../fixtures.js";
import type { HubProcess } from "./hub-process.js";
import { FuzzPeer } from "./peer.js";
import { SseReader } from "./sse-reader.js";

const SESSION = "healthy";
const BASE = { sessionId: SESSION, timestamp: 1 };

interface TimelineRecord {
  readonly type: string;
  readonly sequence: number;
  readonly sessionId: string;
}

/** A second session on the same hub that goes on working, whatever the first one does. */
export class Witness {
  private round = 0;
  private checking: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly hub: HubProcess,
    private readonly app: FuzzPeer,
    private readonly agent: FuzzPeer,
    private readonly own: SseReader,
    private readonly all: SseReader,
  ) {}

  static async join(hub: HubProcess): Promise<Witness> {
    const url = `${hub.ready.hub.replace("http", "ws")}/debug?sessionId=${SESSION}`;
    const app = await FuzzPeer.connect(`${url}&role=app`);
    app.socket.on("message", (data) => {
      const { origin, type, requestId } = JSON.parse(String(data)) as Record<string, unknown>;
      if (origin !== "agent") return;
      app.send({
        ...BASE,
        origin: "app",
        type: "command_result",
        requestType: type,
        requestId,
        success: true,
      });
    });
    app.send({
      ...BASE,
      origin: "app",
      type: "hello",
      url: "http://healthy.test/",
      userAgent: "x",
      protocolVersion: 1,
    });
    const agent = await FuzzPeer.connect(`${url}&role=agent&records=1&since=0&token=${hub.token}`);
    const [own, all] = await Promise.all([
      SseReader.open(await hub.api(`/v1/sessions/${SESSION}/stream?since=0`)),
      SseReader.open(await hub.api("/v1/stream")),
    ]);
    return new Witness(hub, app, agent, own, all);
  }

  /** A line and a command pass as ever, records are whole and numbered without holes, and the hub answers soon. */
  check(): Promise<void> {
    // One at a time: a run that the end of its time interrupts may still be checking.
    const checked = this.checking.then(() => this.checkOnce());
    this.checking = checked.catch(() => {});
    return checked;
  }

  private async checkOnce(): Promise<void> {
    const name = `witness-${this.round++}-end`;
    this.app.send({ ...BASE, origin: "app", type: "console", level: "log", args: [name] });
    this.agent.send({ ...BASE, origin: "agent", type: "click", target: { id: "x" }, requestId: name });
    const isResult = ({ type, requestId }: Record<string, unknown>): boolean =>
      type === "command_result" && requestId === name;
    await until(() => this.agent.frames.some((frame) => frame.includes(name) && isResult(JSON.parse(frame))));
    await until(() => this.own.records.some((record) => JSON.stringify(record).includes(name)));
    for (const records of [
      this.agent.messages().filter((message) => "sequence" in message),
      this.own.records,
    ])
      expectConsecutive(records as unknown as TimelineRecord[]);
    expect([...this.own.faults.splice(0), ...this.all.faults.splice(0)]).toEqual([]);
    this.agent.frames.length = 0;
    this.own.records.length = 0;
    this.all.records.length = 0;
    await this.hub.expectHealthy();
  }

  leave(): void {
    this.app.close();
    this.agent.close();
    this.own.close();
    this.all.close();
  }
}

function expectConsecutive(records: readonly TimelineRecord[]): void {
  const [first] = records;
  records.forEach(({ sequence, sessionId }, index) => {
    expect(sessionId).toBe(SESSION);
    expect(sequence).toBe((first?.sequence ?? 0) + index);
  });
}
