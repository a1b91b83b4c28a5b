import { Stage } from "../../e2e/relay/stage.js";
import { until } from "../../fixtures.js";
import { Victim } from "./victim.js";

/** Who set read-only: the options of the hub, or the person in the popup. */
export type SetBy = "hub" | "person";

export interface ReadOnlyStage {
  readonly stage: Stage;
  readonly victim: Victim;
  /** What a refusal has to name. */
  readonly setting: RegExp;
  close(): Promise<void>;
}

/** A person's browser with the victim's page, in which agents may only look. */
export async function readOnlyStage(setBy: SetBy): Promise<ReadOnlyStage> {
  const victim = await Victim.start();
  const stage = await Stage.start({ readOnly: setBy === "hub" });
  await stage.person.open(victim.url);
  await until(async () => (await stage.health()).tabs >= 2);
  await until(() => victim.isLoaded(stage.person.endpoint));
  if (setBy === "person") {
    const access = { level: "read-only" };
    await stage.person.inWorker(`chrome.storage.local.set({ access: ${JSON.stringify(access)} })`);
    await until(() => stage.hub.relay.tabs().every((tab) => tab.access?.level === "read-only"));
  }
  return {
    stage,
    victim,
    setting: setBy === "hub" ? /--read-only/ : /access: read-only.*popup/,
    close: async () => {
      await stage.close();
      await victim.close();
    },
  };
}
