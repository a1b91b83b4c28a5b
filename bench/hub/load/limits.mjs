/** What has to hold during and after each row of the load table. */
export const LIMITS = {
  /** Memory of the hub, in megabytes. */
  highestMb: 300,
  /** By how much an attacker without the token may raise it. */
  raisedMb: 64,
  /** Within how much of what it was it returns. */
  returnedMb: 20,
  roundTripMs: 100,
  healthMs: 250,
  auditMb: 1,
  folders: 500,
  descriptors: 2_200,
};

/**
 * On a busy machine times say nothing by themselves. They may be this many times those of a hub that is not attacked at the same
 * time, and longer by what the attacked hub had to wait for a processor.
 */
const TIMES_CONTROL = 5;

/** What a row exceeded, as text; empty when all held. */
export function exceeded({
  name,
  open,
  control,
  load,
  stretch,
  before,
  after,
  audit,
  folders,
  descriptors,
  isComplete,
}) {
  const checks = [
    ["the memory", load.highest, LIMITS.highestMb, "MB"],
    ...(open ? [["the memory that it added", load.highest - before, LIMITS.raisedMb, "MB"]] : []),
    ["the memory that stayed", after - before, LIMITS.returnedMb, "MB"],
    [
      "a round trip (p99)",
      load.p99,
      Math.max(LIMITS.roundTripMs * stretch, TIMES_CONTROL * control.worst),
      "ms",
    ],
    ["/healthz", load.health, Math.max(LIMITS.healthMs * stretch, TIMES_CONTROL * control.worst), "ms"],
    ["the audit log", audit, LIMITS.auditMb, "MB"],
    ["recorded folders", folders, LIMITS.folders, ""],
    ["open files", descriptors, LIMITS.descriptors, ""],
  ];
  const wrong = checks
    .filter(([, value, limit]) => value > limit)
    .map(([what, value, limit, unit]) => `${what}: ${Math.round(value)} ${unit}, limit ${Math.round(limit)}`);
  return isComplete ? wrong : [...wrong, `${name}: the attack did not end in time`];
}
