import { BridgeError } from "@debug-bridge/protocol";
import type { Bus } from "./bus.js";
import type { NatsBusOptions } from "./nats/nats-bus.js";

/** Connects to the bus that hubs share. Loads the client of NATS only here: a hub alone never does. */
export async function connectBus(options: NatsBusOptions): Promise<Bus> {
  const { connectNatsBus } = await import("./nats/nats-bus.js");
  return connectNatsBus(options);
}

export interface OpenBusOptions {
  readonly bus?: Bus | NatsBusOptions;
  readonly auth?: "token" | "none";
}

/** Hubs of a bus trust each other about whom they admitted, so each of them has to ask for the token. */
export async function openBus({ bus, auth }: OpenBusOptions): Promise<Bus | undefined> {
  if (bus === undefined) return undefined;
  if (auth === "none")
    throw new BridgeError(
      "invalid_message",
      "--auth none works without --bus only: other hubs trust this one to ask agents for the token",
    );
  return "listen" in bus ? bus : connectBus(bus);
}
