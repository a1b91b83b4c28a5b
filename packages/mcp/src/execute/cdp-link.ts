/** A connection to a Chrome that speaks CDP, as texts of JSON. */
export interface CdpLink {
  send(text: string): void;
  /** Texts that arrived before are delivered to the listener. */
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
  pause(): void;
  resume(): void;
  close(): void;
}
