import type { PairingState } from "../connection/pairing.js";
import type { FromPopup } from "../port-messages.js";
import { button, element, label } from "./dom.js";

/** What the section shows. */
export interface PairingView {
  readonly pairing: PairingState;
  /** Whether a wire has no key, or met a program that does not know it. */
  readonly isUnpaired: boolean;
}

type Send = (message: FromPopup) => void;

/** Fills the section `#pairing`. It is hidden when there is nothing to pair. */
export function renderPairing({ pairing, isUnpaired }: PairingView, send: Send): void {
  const section = element("pairing");
  section.hidden = !isUnpaired && (pairing.status === "idle" || pairing.status === "paired");
  // Built again only when it changes, so that the focus stays where it is.
  const key = JSON.stringify(pairing);
  if (section.dataset.state === key) return;
  section.dataset.state = key;
  const title = document.createElement("h2");
  title.textContent = "Pairing";
  section.replaceChildren(title, ...contents(pairing, send));
}

function contents(pairing: PairingState, send: Send): HTMLElement[] {
  const start = button("Pair", "Pair with this computer", () => send({ kind: "pair" }));
  start.textContent = "Pair with this computer";
  const cancel = button("Cancel", "Cancel pairing", () => send({ kind: "pair-cancel" }));
  switch (pairing.status) {
    case "idle":
    case "paired":
      return [text("Run “debug-bridge extension --pair” in a terminal, then:"), start];
    case "connecting":
      return [text("Connecting…"), cancel];
    case "compare":
      return [
        text("Does the terminal show this code?"),
        code(pairing.code),
        button("Yes, the same", "Yes, the terminal shows the same code", () =>
          send({ kind: "pair-confirm" }),
        ),
        button("No", "No, the terminal shows another code or none", () => send({ kind: "pair-cancel" })),
      ];
    case "confirmed":
      return [text("Confirm this code in the terminal too:"), code(pairing.code), cancel];
    case "failed":
      return [text(pairing.reason), start];
  }
}

function text(content: string): HTMLElement {
  const paragraph = document.createElement("p");
  paragraph.textContent = content;
  return paragraph;
}

function code(digits: string): HTMLElement {
  const shown = label(`${digits.slice(0, 3)} ${digits.slice(3)}`, "The code", "pairing-code");
  shown.id = "pairing-code";
  return shown;
}
