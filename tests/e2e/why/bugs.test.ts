import { type WhyAnswer, type WhyLink, whyLines } from "@debug-bridge/protocol";
import { expect, test } from "vitest";
import { BUGS, type Expected } from "./bugs.js";
import { type BugPage, BugStage, type Way } from "./stage.js";

/** At most one of all bugs may be answered with "unknown", and none with a wrong cause. */
const MAX_UNKNOWN = 1;

test.each(["sdk", "driven"] satisfies Way[])(
  "why names the cause of prepared bugs and never a wrong one (%s)",
  async (way) => {
    const stage = await BugStage.start();
    const unknown: string[] = [];
    try {
      for (const bug of BUGS) {
        const page = await stage.open(bug, way);
        // The first question has the page keep chains.
        await page.why();
        await page.run(bug);
        const { sequence } = await page.find(bug.subject);
        const answer = await page.why(sequence);
        const text = whyLines(answer).join("\n");
        const { causes, isUnknown } =
          way === "driven" && bug.driven ? bug.driven : { causes: bug.causes, isUnknown: undefined };
        if (isUnknown && answer.unknown !== undefined) unknown.push(bug.name);
        else expectCauses(answer, causes, `${bug.name}\n${text}`);
        if (bug.note !== undefined) expect(answer.notes.join("\n"), bug.name).toContain(bug.note);
        await end(page);
      }
      expect(unknown.length).toBeLessThanOrEqual(MAX_UNKNOWN);
    } finally {
      await stage.stop();
    }
  },
  600_000,
);

/** The causes are in the answer in this order, and the last of them is its root. No other action is named. */
function expectCauses({ links }: WhyAnswer, causes: readonly Expected[], message: string): void {
  let at = 0;
  for (const cause of causes) {
    at = links.findIndex((link, i) => i >= at && fits(link, cause)) + 1;
    expect(at, `${cause.kind} ${cause.text} is missing: ${message}`).toBeGreaterThan(0);
  }
  expect(at, `something else is the root: ${message}`).toBe(links.length);
  expect(links.filter(({ kind }) => kind === "action").length, message).toBe(
    causes.filter(({ kind }) => kind === "action").length,
  );
}

const fits = ({ kind, text }: WhyLink, cause: Expected): boolean =>
  kind === cause.kind && text.includes(cause.text);

async function end(page: BugPage): Promise<void> {
  page.client.close();
  await page.close();
}
