/** The code of JetStream for "somebody else was faster". */
const WRONG_LAST_SEQUENCE = 10071;

/** Whether something was not stored because something else was stored before it. */
export function isConflict(thrown: unknown): boolean {
  const { code, message } = thrown as { code?: unknown; message?: unknown };
  return code === WRONG_LAST_SEQUENCE || /wrong last sequence/i.test(String(message));
}
