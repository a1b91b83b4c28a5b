import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type BlobReference, isDeepJson } from "@debug-bridge/protocol";
import { readRegular } from "./regular-file.js";
import { replaceFile } from "./replace-file.js";

const HASH = /^[0-9a-f]{64}$/;
/** A value with more payload than this, or payload in payload, keeps its other references. */
const MAX_RESOLVED_CHARACTERS = 32 * 1024 * 1024;
/** Deeper values cannot be written as JSON again. */
const MAX_DEPTH = 200;

/** Payloads of a session, each stored once under the hash of its content: `blobs/<sha-256>`. */
export class BlobStore {
  private readonly known = new Set<string>();
  private readonly folder: string;

  constructor(sessionFolder: string) {
    this.folder = join(sessionFolder, "blobs");
  }

  /** Stores a payload unless it is already stored; returns the reference for events. */
  put(json: string): BlobReference {
    const hash = createHash("sha256").update(json).digest("hex");
    const reference = { $blob: hash, bytes: Buffer.byteLength(json) };
    if (this.known.has(hash)) return reference;
    const path = join(this.folder, hash);
    if (!existsSync(path)) {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      replaceFile(path, json);
    }
    this.known.add(hash);
    return reference;
  }

  /** Reads a payload; undefined when it does not exist. */
  get(reference: BlobReference): string | undefined {
    if (!HASH.test(reference.$blob)) return undefined;
    try {
      return readRegular(join(this.folder, reference.$blob));
    } catch {
      return undefined;
    }
  }

  /**
   * Replaces every reference in a value by its payload. References to missing or damaged payloads stay, and those beyond
   * the bound: a short line may name the same large payload many times.
   */
  resolve(value: unknown): unknown {
    return this.resolveWithin(value, { characters: MAX_RESOLVED_CHARACTERS }, 0);
  }

  private resolveWithin(value: unknown, left: { characters: number }, depth: number): unknown {
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
    if (Array.isArray(value)) return value.map((item) => this.resolveWithin(item, left, depth + 1));
    if (isBlobReference(value)) return this.payload(value, left) ?? value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, this.resolveWithin(member, left, depth + 1)]),
    );
  }

  private payload(reference: BlobReference, left: { characters: number }): unknown {
    if (left.characters <= 0) return undefined;
    const json = this.get(reference);
    left.characters -= json?.length ?? 0;
    return left.characters < 0 ? undefined : parsed(json);
  }
}

/** A payload as a value; nothing when it is missing, not JSON, or too deep to be sent. */
function parsed(json: string | undefined): unknown {
  if (json === undefined || isDeepJson(json, MAX_DEPTH)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isBlobReference(value: object): value is BlobReference {
  return "$blob" in value && typeof value.$blob === "string" && HASH.test(value.$blob);
}
