import type { CommandOf, CommandOutcome } from "@debug-bridge/protocol";
import { platform } from "../inert/platform.js";
import { ReplayRecorder } from "../replay/recorder.js";
import type { PageView } from "../view/view.js";
import type { CommandContext } from "./run-command.js";

/** The hub repeats the command before this time is over, unless it is gone. */
const LEASE_MS = 30_000;

interface Watched {
  readonly recorder: ReplayRecorder;
  timer: number | undefined;
}

const watched = new WeakMap<PageView, Watched>();

/** Records what the page looks like from now on, or ends that. */
export function watch({ on, again }: CommandOf<"watch">, context: CommandContext): CommandOutcome {
  const { view, capture } = context;
  const { guard, options } = capture;
  const known = watched.get(view);
  platform.clearTimeout(known?.timer);
  if (!on) {
    known?.recorder.stop();
    watched.delete(view);
    return {};
  }
  const recorder =
    known?.recorder ??
    new ReplayRecorder(view, guard, (events, isStart) =>
      // Its texts are masked already.
      options.emit({ type: "page_replay", events, ...(isStart ? { isStart } : {}) }),
    );
  if (!known || !again) recorder.start();
  const stop = guard.wrap(() => {
    recorder.stop();
    watched.delete(view);
  });
  watched.set(view, { recorder, timer: platform.setTimeout(stop, LEASE_MS) });
  return {};
}
