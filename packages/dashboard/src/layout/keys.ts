import type { KeyHelp } from "@debug-bridge/ui/components/keys.js";

/** The keys of the dashboard, for the person who asks for them. */
export const KEYS: KeyHelp = [
  [["Ctrl", "K"], "Find a session, a recording or an action"],
  [["↑", "↓"], "Go through the records"],
  [["→", "←"], "Show and hide what a command caused"],
  [["Enter"], "Show the details of a record"],
  [["/"], "Filter the records"],
  [["e"], "Go to the next error"],
  [["End"], "Go to the newest record and follow"],
  [["Esc"], "Close"],
  [["?"], "Show these keys"],
];
