import { BridgeError } from "@debug-bridge/protocol";

export const CLIENT_MODES = ["multi-client", "single-active"] as const;
export type ClientMode = (typeof CLIENT_MODES)[number];

/** What `GET /client-slot` answers. */
export interface SlotState {
  readonly mode: ClientMode;
  readonly busy: boolean;
  readonly activeClientId: string | null;
  readonly connectedAt: string | null;
}

/** Who may connect: everybody, or one client at a time. */
export class ClientSlot {
  private readonly connected = new Map<string, string>();

  constructor(private readonly mode: ClientMode) {}

  /** Throws while another client is connected, when only one is allowed. */
  check(): void {
    const { busy, activeClientId } = this.state();
    if (!busy) return;
    throw new BridgeError(
      "conflict",
      `the relay accepts one client at a time (--client-mode single-active), and ${activeClientId} is connected; ask GET /client-slot until busy is false`,
    );
  }

  occupy(clientId: string, now: number): void {
    this.connected.set(clientId, new Date(now).toISOString());
  }

  free(clientId: string): void {
    this.connected.delete(clientId);
  }

  state(): SlotState {
    const [clientId, connectedAt] = [...this.connected][0] ?? [null, null];
    const busy = this.mode === "single-active" && clientId !== null;
    return { mode: this.mode, busy, activeClientId: clientId, connectedAt };
  }
}
