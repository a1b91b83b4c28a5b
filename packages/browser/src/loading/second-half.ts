import type { TelemetryCapture } from "@debug-bridge/page/capture";
import { createPageController, type LoadPart, type PageController } from "@debug-bridge/page/dom";
import {
  appSideForm,
  type Command,
  type CommandOutcome,
  type HubMessage,
  isLoopbackName,
  Responder,
  type Transport,
} from "@debug-bridge/protocol";
import type { Wire } from "../connection/telemetry-buffer.js";
import { IdempotencyStore, tabStorage } from "../idempotency-store.js";
import { createMark } from "../mark.js";

export interface SecondHalfOptions {
  readonly sessionId: string;
  readonly instanceId: string;
  /** Shows "agent connected" while an agent is attached. */
  readonly mark: boolean;
  /** The person at the page pressed "Stop". */
  onStop(): void;
}

/** The part of the SDK that looks, and what only a connection needs. */
export interface SecondHalf {
  readonly page: PageController;
  /** Sends the first snapshot, tree and state of a connection. */
  announce(): void;
  setAgents(count: number, deltas: boolean): void;
  /** Sends one snapshot and one tree, after some had to be dropped. */
  resync(): void;
  /** A command of the hub, or the end of one. */
  receive(data: string, wire: Wire): void;
  /** The connection broke: its commands end, except those that the next connection may ask for again. */
  lose(wire: Wire): void;
  /** Says in the page's console, once, what to do when no hub answers. */
  explain(url: string | readonly string[]): void;
  stop(): void;
}

/** Creates what the SDK loads when there is a hub to talk to. */
export function createSecondHalf(
  capture: TelemetryCapture,
  options: SecondHalfOptions,
  loadPart: LoadPart,
): SecondHalf {
  const { window, ours, guard } = capture;
  const controller = createPageController(capture, loadPart);
  const mark = createMark(window.document, (host) => ours.add(host), options.onStop);
  const outcomes = new IdempotencyStore(tabStorage(window));
  const links = new WeakMap<Wire, Transport>();

  const run = (command: Command, signal: AbortSignal, wire: Wire): Promise<CommandOutcome> => {
    const { idempotencyKey } = command;
    if (idempotencyKey === undefined) return controller.run(command, signal);
    // The same key may come again over the next connection, so a broken one must not end the command.
    return outcomes.run(idempotencyKey, () => {
      const own = new AbortController();
      signal.addEventListener("abort", () => wire.isOpen && own.abort());
      return controller.run(command, own.signal);
    });
  };
  const linkTo = (wire: Wire): Transport => {
    const link: Transport = {
      onMessage: undefined,
      onClose: undefined,
      send: (data) => wire.send(data),
      close: () => {},
    };
    new Responder<Command, CommandOutcome, HubMessage>(
      link,
      appSideForm(options.sessionId, options.instanceId),
      { onRequest: (command, signal) => run(command, signal, wire) },
    );
    links.set(wire, link);
    return link;
  };

  let isExplained = false;
  return {
    page: controller,
    explain(url) {
      if (isExplained) return;
      isExplained = true;
      const { hostname, origin } = window.location;
      const flag = isLoopbackName(hostname) ? "" : ` --allow-origin ${origin}`;
      // What we print is not a line of the app.
      const captured = capture.options as { emit: unknown };
      const { emit } = captured;
      captured.emit = () => {};
      console.info(
        `debug-bridge: no hub at ${url}. Run "debug-bridge up${flag}" and reload. If one runs, connect-src of the page's Content-Security-Policy must allow it.`,
      );
      captured.emit = emit;
    },
    announce: () => controller.announce(),
    setAgents(count, deltas) {
      controller.setDeltas(deltas);
      if (options.mark) guard.run(() => mark.show(count));
    },
    resync: () => controller.resync(),
    receive: (data, wire) => (links.get(wire) ?? linkTo(wire)).onMessage?.(data),
    lose(wire) {
      links.get(wire)?.onClose?.("");
      controller.pause();
      mark.remove();
    },
    stop() {
      mark.remove();
      controller.stop();
    },
  };
}
