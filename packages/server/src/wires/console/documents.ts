const MOST_DOCUMENTS = 2_000;

/**
 * How far the events of each document were taken. An extension whose worker died sends again what it does not know to
 * have arrived, over a new connection; none of it is to be shown twice.
 */
export class Documents {
  private readonly last = new Map<string, number>();

  /** False for an event that was taken before. Events without a number are always new. */
  isNew(documentId: string | undefined, seq: number | undefined): boolean {
    if (documentId === undefined || seq === undefined) return true;
    const last = this.last.get(documentId);
    if (last !== undefined && seq <= last) return false;
    this.last.delete(documentId);
    this.last.set(documentId, seq);
    if (this.last.size > MOST_DOCUMENTS) this.last.delete(this.last.keys().next().value as string);
    return true;
  }
}
