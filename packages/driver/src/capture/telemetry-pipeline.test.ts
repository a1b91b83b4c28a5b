import type { TelemetryBody } from "@debug-bridge/page/records";
import { expect, test } from "vitest";
import { TelemetryPipeline } from "./telemetry-pipeline.js";

const line = (text: string): TelemetryBody => ({ type: "console", level: "log", args: [text] });

test("records keep their order, even when some must be described first", async () => {
  const sent: TelemetryBody[] = [];
  const pipeline = new TelemetryPipeline({
    sendToPage: async (records) => sent.push(...records) > 0,
    emit: () => {},
  });
  pipeline.add(new Promise((resolve) => setTimeout(resolve, 5, line("slow"))));
  pipeline.add(line("fast"));
  await pipeline.flush();
  expect(sent).toEqual([line("slow"), line("fast")]);
});

test("without a page, records are masked and emitted by the driver", async () => {
  const emitted: TelemetryBody[] = [];
  const pipeline = new TelemetryPipeline({
    sendToPage: async () => false,
    emit: (record) => emitted.push(record),
  });
  pipeline.add({
    type: "console",
    level: "log",
    args: ["password=%s", "hunter2"],
    values: [
      { type: "string", value: "password=%s" },
      { type: "string", value: "hunter2" },
    ],
  });
  await pipeline.flush();
  expect(JSON.stringify(emitted)).not.toContain("hunter2");
});

test("what does not fit is dropped oldest first and counted in a gap", async () => {
  const sent: TelemetryBody[] = [];
  const pipeline = new TelemetryPipeline({
    sendToPage: async (records) => sent.push(...records) > 0,
    emit: () => {},
  });
  for (let i = 0; i < 2_500; i++) pipeline.add(line(`${i}`));
  await pipeline.flush();
  expect(sent[0]).toMatchObject({ type: "gap", dropped: 500 });
  expect(sent[1]).toEqual(line("500"));
});

test("a receipt waits for the records so far, and not for a page that never stops", async () => {
  const sent: TelemetryBody[] = [];
  const pipeline = new TelemetryPipeline({
    sendToPage: async (records) => {
      // Longer than a busy page takes, and the page has printed another line by then.
      await new Promise((resolve) => setTimeout(resolve, 300));
      pipeline.add(line("and on"));
      return sent.push(...records) > 0;
    },
    emit: () => {},
  });
  pipeline.add(line("first"));
  await pipeline.flush();
  expect(sent).toEqual([line("first")]);
});
