import { expect, test } from "vitest";
import { CauseTracker } from "./cause-tracker.js";

test("the only command that runs is the cause; of several it is unknown which", () => {
  const causes = new CauseTracker();
  expect(causes.current).toBeUndefined();
  causes.begin(3);
  expect(causes.current).toBe(3);
  causes.begin(5);
  expect(causes.current).toBeUndefined();
  causes.end(3);
  expect(causes.current).toBe(5);
  causes.end(3);
  causes.end(5);
  expect(causes.current).toBeUndefined();
});
