import type { Socket } from "node:net";
import { FrameReader, frame } from "../frames.js";

/** What Playwright needs of a connection to Chrome. */
interface CdpTransport {
  send(message: object): void;
  close(): void;
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
}

/** CDP over a pipe to the process that holds the real connection. This process never learns its address. */
export function pipeTransport(pipe: Socket, maxBytes: number): CdpTransport {
  const reader = new FrameReader(maxBytes);
  const transport: CdpTransport = {
    send: (message) => void pipe.write(frame(JSON.stringify(message))),
    close: () => pipe.destroy(),
  };
  pipe.on("data", (chunk: Buffer) => {
    for (const text of reader.push(chunk)) transport.onmessage?.(JSON.parse(text) as object);
  });
  pipe.on("close", () => transport.onclose?.("the connection to Chrome was closed"));
  return transport;
}
