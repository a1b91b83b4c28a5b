const EVERYTHING = { subtree: true, childList: true, characterData: true, attributes: true };

/** Knows whether a page was changed since it was last asked to watch it. */
export class UnchangedPage {
  private changed = false;
  private readonly observer = new MutationObserver((records) => this.read(records));

  watch(): void {
    this.changed = false;
    this.observer.observe(document, EVERYTHING);
  }

  isUnchanged(): boolean {
    this.read(this.observer.takeRecords());
    this.observer.disconnect();
    return !this.changed;
  }

  /** Style sheets that are being loaded, and the overlay of Vite, are no change. */
  private read(records: readonly MutationRecord[]): void {
    this.changed ||= records.some(
      ({ target, addedNodes, removedNodes }) =>
        target.nodeName !== "HEAD" &&
        !(addedNodes.length + removedNodes.length > 0 && isOverlay([...addedNodes, ...removedNodes])),
    );
  }
}

const isOverlay = (nodes: readonly Node[]): boolean =>
  nodes.every(({ nodeName }) => nodeName.toLowerCase() === "vite-error-overlay");
