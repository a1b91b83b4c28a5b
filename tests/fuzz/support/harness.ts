import { afterAll, beforeAll } from "vitest";
import { HubProcess } from "./hub-process.js";
import { Witness } from "./witness.js";

export interface Harness {
  readonly hub: HubProcess;
  readonly witness: Witness;
}

/** One hub with a healthy session for all tests of a file; checked as a whole at the end. */
export function sharedHub(args: readonly string[] = []): () => Harness {
  let harness: Harness | undefined;
  beforeAll(async () => {
    const hub = await HubProcess.start(args);
    harness = { hub, witness: await Witness.join(hub) };
  });
  afterAll(async () => {
    if (!harness) return;
    const { hub, witness } = harness;
    try {
      await witness.check();
      await hub.expectBoundedMemory();
      hub.expectWholeRecordings();
    } finally {
      witness.leave();
      await hub.stop();
    }
  });
  return () => harness as Harness;
}
