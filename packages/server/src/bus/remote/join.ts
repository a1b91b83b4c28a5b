import { BridgeError, linkedPair, type Transport } from "@debug-bridge/protocol";
import type { Channel } from "../channels/channel.js";

/**
 * A connection inside this process to a session that may be on another hub. What is sent before that is known waits. `join` is
 * called with the hub's end when the session is on this one.
 */
export function joinLater(open: Promise<Channel | undefined>, join: (hub: Transport) => void): Transport {
  const [agent, hub] = linkedPair();
  const early: string[] = [];
  let isClosed = false;
  hub.onMessage = (text) => early.push(text);
  hub.onClose = () => {
    isClosed = true;
  };
  const connect = (channel: Channel | undefined): void => {
    if (isClosed) channel?.close();
    else {
      if (channel) pipe(hub, channel);
      else join(hub);
      for (const text of early) hub.onMessage?.(text);
    }
  };
  open.then(connect).catch((thrown) => hub.close(BridgeError.from(thrown).message));
  return agent;
}

function pipe(hub: Transport, channel: Channel): void {
  hub.onMessage = (text) => channel.send(text);
  hub.onClose = (reason) => channel.close(1000, reason);
  channel.onMessage = (data) => hub.send(data.toString());
  channel.onClose = (_code, reason) => hub.close(reason);
}
