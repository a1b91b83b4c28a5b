import { describe, expect, it } from "vitest";
import { needsOfChromes, needsOfSessions } from "./scale.mjs";

const inputs = {
  ...{
    sessionsOfHub: 10_000,
    hubMb: 100,
    sessionKb: 10,
    knownKb: 1,
    natsMb: 20,
    natsSessionKb: 2,
    idleBytes: 300,
  },
  ...{ hubsUs: 20, natsUs: 5, messageBytes: 1_000, chromeMb: 200, chromeMs: 5 },
};

describe("what many sessions need", () => {
  it("is decided by their number when they are quiet", () => {
    expect(needsOfSessions(inputs, 100_000, 0.1)).toMatchObject({
      hubs: "10",
      "cores that the hubs use": "0.2",
      // 100 MB, 10,000 × 10 KB, 90,000 × 1 KB.
      "memory of each hub": "286 MB",
      "NATS nodes with 4 cores": "3",
    });
  });

  it("is decided by their messages when they are busy", () => {
    expect(needsOfSessions(inputs, 100_000, 10)).toMatchObject({
      hubs: "40",
      "cores that the hubs use": "20",
      // 1,000,000 × 5 µs on three nodes: 15 cores, and half of each is left free.
      "NATS nodes with 4 cores": "8",
      "bytes a second through NATS": "1,000 MB/s",
      "how far back the stored timeline reaches": "2 s",
    });
  });
});

it("Chromes need machines by their memory", () => {
  expect(needsOfChromes(inputs, 10_000)).toMatchObject({
    "Chromes on a machine with 64 GB": "262",
    "machines, with one hub each": "39",
    "cores while all pages are idle": "50",
  });
});
