import type { ConsoleRecordData, TimelineRecord } from "@debug-bridge/protocol";
import type { TestHub } from "../hub/hub.js";

type Recorded = Omit<TimelineRecord, "data"> & { readonly data: ConsoleRecordData };

/** The console records of a session; those of tab 7 by default. */
export async function consoleRecords(
  hub: TestHub,
  session = "tab-7",
  types = "console,error,unhandledrejection,gap",
): Promise<Recorded[]> {
  const response = await hub.api(`/v1/sessions/${session}/events?types=${types}`);
  return response.ok ? ((await response.json()) as { events: Recorded[] }).events : [];
}

/** Their texts. */
export const consoleTexts = async (hub: TestHub, session?: string): Promise<unknown[]> =>
  (await consoleRecords(hub, session)).map(({ data }) => data.text);
