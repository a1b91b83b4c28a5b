import type { CommandOf, CommandOutcome } from "@debug-bridge/protocol";
import { keepHeaders } from "../capture/network/headers.js";
import { platform } from "../inert/platform.js";
import { ReplayRecorder } from "../replay/recorder.js";
import type { PageView } from "../view/view.js";
import type { CommandContext } from "./run-command.js";

export { pageSnapshot } from "./page-snapshot.js";

/** The hub repeats the command before this time is over, unless it is gone. */
const LEASE_MS = 30_000;

interface Watched {
  readonly recorder: ReplayRecorder;
  end(): void;
  timer: number | undefined;
}

const watched = new WeakMap<PageView, Watched>();

/** Records what the page looks like from now on, and the headers of its requests, or ends that. */
export function watch({ on, again }: CommandOf<"watch">, context: CommandContext): CommandOutcome {
  const { view, capture } = context;
  const { guard } = capture;
  const known = watched.get(view);
  platform.clearTimeout(known?.timer);
  if (!on) {
    known?.end();
    return {};
  }
  const current = known ?? begin(context);
  if (!known || !again) current.recorder.start();
  current.timer = platform.setTimeout(guard.wrap(current.end), LEASE_MS);
  return {};
}

function begin({ view, capture }: CommandContext): Watched {
  const recorder = new ReplayRecorder(view, capture.guard, (events, isStart) =>
    // Its texts are masked already.
    capture.options.emit({ type: "page_replay", events, ...(isStart ? { isStart } : {}) }),
  );
  const forgetHeaders = keepHeaders(capture);
  const started: Watched = {
    recorder,
    timer: undefined,
    end() {
      recorder.stop();
      forgetHeaders();
      watched.delete(view);
    },
  };
  watched.set(view, started);
  return started;
}
