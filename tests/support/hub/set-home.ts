import { onTestFinished } from "vitest";

/** Has the plugins of this process find the hub of a home. */
export function setHome(home: string): void {
  const before = process.env.DEBUG_BRIDGE_HOME;
  process.env.DEBUG_BRIDGE_HOME = home;
  onTestFinished(() => {
    if (before === undefined) delete process.env.DEBUG_BRIDGE_HOME;
    else process.env.DEBUG_BRIDGE_HOME = before;
  });
}
