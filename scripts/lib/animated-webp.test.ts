import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { animatedWebp } from "./animated-webp.mjs";

const still = (name: string): Buffer =>
  readFileSync(new URL(`../../docs/images/${name}.webp`, import.meta.url));

describe("a WebP picture that moves", () => {
  it("has the size of its pictures, and shows each for its time", () => {
    const pictures = ["dashboard-light", "dashboard-dark"].map((name, i) => ({
      webp: still(name),
      ms: 1_000 * (i + 1),
    }));
    const moving = animatedWebp(pictures);
    expect(moving.toString("latin1", 0, 4)).toBe("RIFF");
    expect(moving.readUInt32LE(4)).toBe(moving.length - 8);
    expect([moving.readUIntLE(24, 3) + 1, moving.readUIntLE(27, 3) + 1]).toEqual([1_280, 760]);
    const times: number[] = [];
    for (
      let at = 12;
      at < moving.length;
      at += 8 + moving.readUInt32LE(at + 4) + (moving.readUInt32LE(at + 4) % 2)
    )
      if (moving.toString("latin1", at, at + 4) === "ANMF") times.push(moving.readUIntLE(at + 20, 3));
    expect(times).toEqual([1_000, 2_000]);
  });

  it("is not made of pictures of different sizes, nor of anything else", () => {
    const [a, b] = [still("dashboard-light"), still("chat-wide-light")];
    expect(() => animatedWebp([a, b].map((webp) => ({ webp, ms: 1 })))).toThrow("picture 1 is");
    expect(() => animatedWebp([{ webp: Buffer.from("RIFF0000WEBPxxxx\0\0\0\0"), ms: 1 }])).toThrow(
      "not a lossy",
    );
  });
});
