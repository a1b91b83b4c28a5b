import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { someOf } from "../../support/machine/long-mode.js";
import { LIBRARIES } from "./bundle.js";
import { KINDS, LibraryStage } from "./stage.js";
import { TASKS, type Task } from "./tasks.js";
import { User } from "./user.js";

let stage: LibraryStage;
beforeAll(async () => {
  stage = await LibraryStage.start();
});
afterAll(() => stage?.close());

it("every page of a library has a task", () => {
  expect(Object.keys(TASKS).sort()).toEqual([...LIBRARIES].sort());
});

for (const kind of KINDS) {
  describe(`a user of a library's page in a session of kind ${kind}`, () => {
    for (const library of someOf(LIBRARIES, 14)) {
      const { does, run, says } = TASKS[library] as Task;
      it(`${library}: ${does}`, async () => {
        const user = new User(await stage.open(library, kind));
        await run(user);
        await user.sees(says);
      });
    }
  });
}
