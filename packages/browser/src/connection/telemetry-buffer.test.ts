import type { TelemetryBody } from "@debug-bridge/page/capture";
import { expect, test, vi } from "vitest";
import { TelemetryBuffer } from "./telemetry-buffer.js";

interface Sent {
  type: string;
  seq?: number;
  dropped?: number;
  args?: string[];
}

/** A wire whose backlog the test sets. */
function wire() {
  const sent: Sent[] = [];
  return { isOpen: true, waiting: 0, sent, send: (text: string) => void sent.push(JSON.parse(text) as Sent) };
}

const line = (text: string): TelemetryBody => ({ type: "console", level: "log", args: [text] });

test("messages before the first connection are kept, numbered, and sent first", () => {
  const telemetryBuffer = new TelemetryBuffer({
    sessionId: "s",
    instanceId: "page-1",
    resync: () => {},
    onDrop: () => {},
  });
  telemetryBuffer.put(line("a"));
  telemetryBuffer.put({ type: "dom_snapshot", html: "old" });
  const out = wire();
  telemetryBuffer.attach(out, 0);
  telemetryBuffer.put(line("b"));
  expect(out.sent).toMatchObject([
    { type: "console", args: ["a"], seq: 1, sessionId: "s", origin: "app" },
    { type: "console", args: ["b"], seq: 2 },
  ]);
});

test("a wire that does not keep up gets logs, a gap and one snapshot, and no more of the DOM", async () => {
  const resync = vi.fn();
  const onDrop = vi.fn();
  const telemetryBuffer = new TelemetryBuffer({ sessionId: "s", instanceId: "page-1", resync, onDrop });
  const out = wire();
  telemetryBuffer.attach(out, 0);
  out.waiting = 10_000_000;
  for (let i = 0; i < 5; i++) telemetryBuffer.put({ type: "dom_mutations", mutations: [] });
  telemetryBuffer.put(line("still sent"));
  expect(out.sent.map(({ type }) => type)).toEqual(["console"]);
  expect(onDrop).toHaveBeenCalledTimes(5);
  out.waiting = 0;
  await vi.waitFor(() => expect(resync).toHaveBeenCalledOnce());
  expect(out.sent[1]).toMatchObject({ type: "gap", dropped: 5 });
  expect(out.sent.map(({ seq }) => seq)).toEqual([1, 2]);
});
