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
  await pipeline.flush(5_000);
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
  await pipeline.flush(5_000);
  expect(JSON.stringify(emitted)).not.toContain("hunter2");
});

test("what does not fit is dropped oldest first and counted in a gap", async () => {
  const sent: TelemetryBody[] = [];
  const pipeline = new TelemetryPipeline({
    sendToPage: async (records) => sent.push(...records) > 0,
    emit: () => {},
  });
  for (let i = 0; i < 2_500; i++) pipeline.add(line(`${i}`));
  await pipeline.flush(5_000);
  expect(sent[0]).toMatchObject({ type: "gap", dropped: 500 });
  expect(sent[1]).toEqual(line("500"));
});
