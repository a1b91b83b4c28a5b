import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BlobReference } from "@debug-bridge/protocol";
import { replaceFile } from "./replace-file.js";

const HASH = /^[0-9a-f]{64}$/;

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
      return readFileSync(join(this.folder, reference.$blob), "utf8");
    } catch {
      return undefined;
    }
  }

  /** Replaces every reference in a value by its payload. References to missing payloads stay. */
  resolve(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.resolve(item));
    if (isBlobReference(value)) {
      const json = this.get(value);
      return json === undefined ? value : JSON.parse(json);
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.resolve(member)]));
  }
}

function isBlobReference(value: object): value is BlobReference {
  return "$blob" in value && typeof value.$blob === "string" && HASH.test(value.$blob);
}
