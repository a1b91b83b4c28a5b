import type { Chord, ClickOptions, Modifier, Point } from "@debug-bridge/page";
import type { CdpSession } from "../cdp.js";
import type { InputAction } from "../engine/link-messages.js";
import { Drag } from "./drag.js";

const MODIFIER_BITS: Record<Modifier, number> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };
const MODIFIER_KEYS: Record<Modifier, { code: string; keyCode: number }> = {
  Alt: { code: "AltLeft", keyCode: 18 },
  Control: { code: "ControlLeft", keyCode: 17 },
  Meta: { code: "MetaLeft", keyCode: 91 },
  Shift: { code: "ShiftLeft", keyCode: 16 },
};
const BUTTON_BITS = { left: 1, right: 2, middle: 4 } as const;
/** On a Mac the system, not the page, turns these chords into editing. */
const EDITING: Record<string, string> = { a: "selectAll", c: "copy", x: "cut", v: "paste", z: "undo" };

const bitsOf = (modifiers: readonly Modifier[]): number =>
  modifiers.reduce((bits, modifier) => bits | MODIFIER_BITS[modifier], 0);

/** Trusted input: the browser itself makes the events, as from a person's mouse and keyboard. */
export class TrustedInput {
  private held: Drag | undefined;

  constructor(private readonly cdp: CdpSession) {}

  async perform(action: InputAction): Promise<void> {
    switch (action.type) {
      case "click":
        return this.click(action.at, action.options);
      case "hover":
        return this.mouse("mouseMoved", action.at);
      case "insert":
        return void (await this.cdp.send("Input.insertText", { text: action.text }));
      case "keys":
        // In order without waiting for each: the browser keeps them in order.
        return void (await Promise.all(action.chords.flatMap((chord) => this.key(chord))));
      case "grab":
        await this.held?.drop();
        this.held = await Drag.begin(this.cdp, action.at, action.nudge);
        return;
      case "drop":
        await this.held?.drop(action.way);
        this.held = undefined;
        return;
    }
  }

  private async click(at: Point, { button, count, modifiers }: ClickOptions): Promise<void> {
    const held = { button, modifiers: bitsOf(modifiers) };
    const sent = [this.mouse("mouseMoved", at, { modifiers: held.modifiers })];
    for (let clickCount = 1; clickCount <= count; clickCount++) {
      sent.push(this.mouse("mousePressed", at, { ...held, clickCount, buttons: BUTTON_BITS[button] }));
      sent.push(this.mouse("mouseReleased", at, { ...held, clickCount }));
    }
    await Promise.all(sent);
  }

  private async mouse(type: string, { x, y }: Point, more: object = {}): Promise<void> {
    await this.cdp.send("Input.dispatchMouseEvent", { type, x, y, ...more });
  }

  private key({ key, code, keyCode, modifiers }: Chord): Promise<unknown>[] {
    const sent: Promise<unknown>[] = [];
    let held = 0;
    for (const modifier of modifiers) {
      held |= MODIFIER_BITS[modifier];
      sent.push(this.keyEvent("rawKeyDown", { key: modifier, ...MODIFIER_KEYS[modifier], modifiers: held }));
    }
    const shortcut = modifiers.some((modifier) => modifier !== "Shift");
    const text = shortcut ? undefined : key === "Enter" ? "\r" : [...key].length === 1 ? key : undefined;
    const command = modifiers.includes("Meta") ? EDITING[key.toLowerCase()] : undefined;
    sent.push(
      this.keyEvent(text === undefined ? "rawKeyDown" : "keyDown", {
        ...{ key, code, keyCode, modifiers: held },
        ...(text === undefined ? {} : { text, unmodifiedText: text }),
        ...(command === undefined ? {} : { commands: [command] }),
      }),
    );
    sent.push(this.keyEvent("keyUp", { key, code, keyCode, modifiers: held }));
    for (const modifier of [...modifiers].reverse()) {
      held &= ~MODIFIER_BITS[modifier];
      sent.push(this.keyEvent("keyUp", { key: modifier, ...MODIFIER_KEYS[modifier], modifiers: held }));
    }
    return sent;
  }

  private keyEvent(
    type: string,
    { keyCode, ...event }: { keyCode: number; [field: string]: unknown },
  ): Promise<unknown> {
    return this.cdp.send("Input.dispatchKeyEvent", { type, windowsVirtualKeyCode: keyCode, ...event });
  }
}
