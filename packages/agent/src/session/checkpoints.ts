import type { BlobStore } from "@debug-bridge/journal";
import { type BlobReference, BridgeError } from "@debug-bridge/protocol";

interface Checkpoint {
  readonly id: string;
  readonly label: string | undefined;
  readonly iteration: number;
  readonly state: BlobReference;
}

/** Saved states of an agent. */
export class Checkpoints {
  private readonly all: Checkpoint[] = [];

  constructor(private readonly blobs: BlobStore) {}

  add(state: unknown, iteration: number, label: string | undefined): Checkpoint {
    const json = JSON.stringify(state);
    if (json === undefined)
      throw new BridgeError("internal", "saveState returned undefined; return the state as plain data");
    const checkpoint = { id: `cp-${this.all.length + 1}`, label, iteration, state: this.blobs.put(json) };
    this.all.push(checkpoint);
    return checkpoint;
  }

  /** Finds a checkpoint by its id or label and reads its state. */
  read(name: string): { checkpoint: Checkpoint; state: unknown } {
    const checkpoint = this.all.findLast(({ id, label }) => id === name || label === name);
    if (!checkpoint) {
      const existing =
        this.all.map(({ id, label }) => (label ? `${id} (${label})` : id)).join(", ") || "none";
      throw new BridgeError(
        "target_not_found",
        `checkpoint "${name}" does not exist; existing checkpoints: ${existing}`,
      );
    }
    const json = this.blobs.get(checkpoint.state);
    if (json === undefined)
      throw new BridgeError("internal", `the state of checkpoint ${checkpoint.id} is no longer on disk`);
    return { checkpoint, state: JSON.parse(json) };
  }
}
