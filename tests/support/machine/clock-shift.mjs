/**
 * Loaded into a process before its program (`--import`): a clock that tests can set. On SIGUSR2 the milliseconds in
 * $CLOCK_FILE are added to whatever the machine's clock shows from then on, and `$CLOCK_FILE.done` says so.
 */
import { readFileSync, writeFileSync } from "node:fs";

const RealDate = Date;
let shift = 0;

class ShiftedDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shift);
    else super(...args);
  }

  static now() {
    return RealDate.now() + shift;
  }
}

globalThis.Date = ShiftedDate;

process.on("SIGUSR2", () => {
  const text = readFileSync(process.env.CLOCK_FILE, "utf8");
  shift = Number(text);
  writeFileSync(`${process.env.CLOCK_FILE}.done`, text);
});
