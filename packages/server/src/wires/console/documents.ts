const MAX_DOCUMENTS = 2_000;

/**
 * The last event that was received of each document. An extension whose worker died sends events again, over a new
 * connection, when it does not know whether they arrived; each is recorded once.
 */
export class Documents {
  private readonly last = new Map<string, number>();

  /** False for an event that was received before. Events without a number are always new. */
  isNew(documentId: string | undefined, seq: number | undefined): boolean {
    if (documentId === undefined || seq === undefined) return true;
    const last = this.last.get(documentId);
    if (last !== undefined && seq <= last) return false;
    this.last.delete(documentId);
    this.last.set(documentId, seq);
    if (this.last.size > MAX_DOCUMENTS) this.last.delete(this.last.keys().next().value as string);
    return true;
  }
}
