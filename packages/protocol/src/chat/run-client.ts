const RUN = /@([0-7][0-9A-HJKMNP-TV-Z]{25})$/;

/** The name of a client that works for a run of a chat. It says so itself: that it does can only cost it rights. */
export function clientOfRun(name: string, runId: string | undefined): string {
  return runId === undefined ? name : `${name}@${runId}`;
}

/** The run for which a client works; undefined for all others. */
export function runOfClient(client: string): string | undefined {
  return RUN.exec(client)?.[1];
}
