import type { BlobStore } from "@debug-bridge/journal";
import { type BlobReference, BridgeError } from "@debug-bridge/protocol";

interface Checkpoint {
  readonly id: string;
  readonly label: string | undefined;
  readonly iteration: number;
  readonly state: BlobReference;
  /** What belongs to the debugger, and not to the state of the agent. */
  readonly around: Around;
}

/** What a rewind restores besides the state that the agent saved itself. */
export interface Around {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly workingSet: readonly string[];
}

/** Saved states of an agent. */
export class Checkpoints {
  private readonly all: Checkpoint[] = [];

  constructor(private readonly blobs: BlobStore) {}

  add(state: unknown, iteration: number, label: string | undefined, around: Around): Checkpoint {
    const json = JSON.stringify(state);
    if (json === undefined)
      throw new BridgeError("internal", "saveState returned undefined; return the state as plain data");
    const checkpoint = {
      id: `cp-${this.all.length + 1}`,
      label,
      iteration,
      state: this.blobs.put(json),
      around: structuredClone(around),
    };
    this.all.push(checkpoint);
    return checkpoint;
  }

  /** Takes over the checkpoints of the session that this one branches from; returns them. */
  inherit(other: Checkpoints): readonly Checkpoint[] {
    for (const checkpoint of other.all) {
      const json = other.blobs.get(checkpoint.state);
      if (json !== undefined) this.all.push({ ...checkpoint, state: this.blobs.put(json) });
    }
    return this.all;
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
