import { type Requirement, section } from "./requirement.js";

export const runnerRequirements: readonly Requirement[] = [
  ...section("001 decisions 1", [
    ["RUN-001", "The runner is offered as one tool call named `browser_action`, beside the other tools."],
    ["RUN-002", "A result of `browser_action` comes back as an ordinary tool result."],
    [
      "RUN-003",
      "All actions of one client connection reach the same browser, found by that client's session id.",
    ],
    ["RUN-004", "Removing a browser session always shuts its runner down first."],
  ]),
  ...section("001 decisions 2", [
    ["RUN-005", "A flat form such as `<browser_action action='click' selector='#button' />` is accepted."],
    ["RUN-006", "XML becomes a plain object first, and zod validates it before anything else happens."],
    ["RUN-007", "A malformed instruction fails at once with a message that names the field."],
  ]),
  ...section("001 decisions 3", [
    [
      "RUN-008",
      "The runner counts total errors over its browser's life, JavaScript and network errors alike.",
    ],
    ["RUN-009", "The runner counts consecutive errors and sets the count to 0 after a success."],
    ["RUN-010", "The runner keeps the session's duration and the last action performed."],
  ]),
  ...section("001 decisions 4", [
    ["RUN-011", "A response carries the console's infos, warnings and errors since the last action."],
    ["RUN-012", "A response carries the requests and responses since the last action as `networkEvents`."],
    ["RUN-013", "An uncaught JavaScript error appears in `logs` with its stack trace."],
    ["RUN-014", "Deprecation warnings that come from Puppeteer's own calls are left out of `logs`."],
  ]),
  ...section("001 decisions 5", [
    ["RUN-015", "An instruction is XML with `<type>` for the action and one element per parameter."],
    [
      "RUN-016",
      "`type` is start, navigate, click, scroll, screenshot, stop or more; unknown ones are refused.",
    ],
    ["RUN-017", "What the runner prints as an instruction always has the element form."],
    ["RUN-018", "Special characters in values are escaped on writing and restored on reading."],
    ["RUN-019", "`start` and `navigate` without `url` fail validation."],
    ["RUN-020", "An empty `url` fails validation."],
    ["RUN-021", "A `url` without a protocol fails validation."],
    ["RUN-022", "A rejected `url` starts no browser and touches no page."],
  ]),
  ...section("001 decisions 6: browser", [
    ["RUN-023", "At most one browser lives per runner at any time."],
    ["RUN-024", "A new `start` closes the browser of the previous one."],
    ["RUN-025", "No timer ends an idle browser."],
    ["RUN-026", "The browser closes when its client disconnects."],
    ["RUN-027", "The browser closes when the `stop` action asks for it."],
    ["RUN-028", "The third consecutive error shuts the browser down (`maxConsecutiveErrors`, default 3)."],
    ["RUN-029", "The tenth error in total shuts the browser down (`totalErrorThreshold`, default 10)."],
    ["RUN-030", "Both error thresholds can be set in the instruction's configuration."],
    ["RUN-031", "A failed action is retried up to `maxRetries` times, default 3."],
    ["RUN-032", "At least `retryDelay` milliseconds, default 1000, pass between two attempts."],
    ["RUN-033", "Only errors listed in `retryOnErrors` are retried."],
    ["RUN-034", "Leftover `about:blank` pages are closed when the active page is looked up."],
  ]),
  ...section("001 decisions 6: recovery", [
    ["RUN-035", "The browser's responsiveness is tested before each action."],
    ["RUN-036", "After its Chrome process was killed, the next action runs in a restarted browser."],
    ["RUN-037", "After a person closed the browser's window, the next action runs in a restarted browser."],
    ["RUN-038", "A detached-frame error restarts the browser and repeats the action."],
    ["RUN-039", "One configuration schema covers launching, starting and restarting the browser."],
  ]),
  ...section("001 decisions 6: hints", [
    ["RUN-040", "A missing dependency or an undefined variable yields an error with a matching hint."],
    ["RUN-041", "A failed connection or DNS lookup yields an error with a network hint."],
    ["RUN-042", "A certificate failure yields an error with an SSL/TLS hint."],
    ["RUN-043", "A resource that failed to load yields an error with a matching hint."],
    ["RUN-044", "A navigation that timed out yields an error with a matching hint."],
    ["RUN-045", "A detached frame or node yields a hint to wait shortly after navigation."],
    ["RUN-046", "An aborted or redirected request yields an error with a matching hint."],
    ["RUN-047", "A refused localhost connection yields a hint to start the development server in a new tab."],
    ["RUN-048", "The runner never starts a development server itself."],
    ["RUN-049", "Debug log entries appear only when `debug` is on."],
  ]),
  ...section("001 decisions 6: metrics", [
    [
      "RUN-050",
      "`metrics` holds the times of first byte, first and largest contentful paint and DOM content loaded.",
    ],
    ["RUN-051", "`metrics` holds the session's total duration and the memory in use."],
  ]),
  ...section("001 decisions 7", [
    ["RUN-052", "The profile lives in `$DEBUG_BRIDGE_HOME/projects/<project>/browser`."],
    [
      "RUN-053",
      "Cookies and local storage outlive a stop and are there after the next `start` of the project.",
    ],
    ["RUN-054", "The runner's profile is never the person's own Chrome profile."],
    ["RUN-055", "A restarted Chrome shows no restore popup and launches where its sandbox cannot."],
    ["RUN-056", "A stale `SingletonLock` is removed and the launch succeeds."],
    [
      "RUN-057",
      "A profile that a live Chrome holds is left alone, and the runner takes a profile of its own.",
    ],
    ["RUN-058", "A temporary profile is used on `--temp-profile` and deleted afterwards."],
    ["RUN-059", "A failed launch leaves no Chrome process behind."],
  ]),
  ...section("001 guidelines 1", [
    ["RUN-060", "Listeners for console, errors and network are in place before the first navigation."],
    ["RUN-061", "Resources are released after an error as after a success."],
    ["RUN-062", "Two overlapping shutdowns close the browser once and neither fails."],
    ["RUN-063", "A closed browser leaves no listener of ours behind."],
  ]),
  ...section("001 guidelines 3", [
    ["RUN-064", "The runner is built on puppeteer-core and ships no browser."],
    ["RUN-065", "Chrome is found at the standard path of Windows, of macOS and of Linux."],
    ["RUN-066", "Without Chrome on Windows or macOS the error points to https://www.google.com/chrome/."],
    ["RUN-067", "Without Chrome on Linux the error gives apt and yum commands."],
    ["RUN-068", "The runner never installs a browser."],
  ]),
];
