import { type TestHub, testHub } from "../../support/hub/hub.js";
import { CdpClient } from "./cdp-client.js";
import { FakeExtension, tab } from "./fake-extension.js";

/** A hub with an extension and a client, both of which know only their wires. */
export async function connected(
  tabs = [tab(1), tab(2)],
  options: Parameters<typeof testHub>[0] = {},
): Promise<{ hub: TestHub; extension: FakeExtension; client: CdpClient; url: string }> {
  // The hub looks into tabs itself; here, only the clients of the test do.
  const hub = await testHub({ driveTabs: false, ...options });
  const extension = await FakeExtension.connect(hub.relayUrl, tabs);
  const url = `${hub.clientRelayUrl}/cdp?token=${hub.token}`;
  return { hub, extension, url, client: await CdpClient.connect(url) };
}
