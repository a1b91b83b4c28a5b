import { type Requirement, section } from "./requirement.js";

export const relayRequirements: readonly Requirement[] = [
  ...section("004 architecture", [
    ["REL-001", "The relay listens on `ws://127.0.0.1:19222` by default."],
    ["REL-002", "Playwright's `connectOverCDP` works through the relay on real tabs with their cookies."],
    ["REL-003", "Puppeteer connects through the same `/cdp` endpoint."],
    ["REL-004", "The MCP server offers `execute` and `reset` over stdio."],
    ["REL-005", "`execute` runs Playwright code on the real Chrome and returns its value."],
    ["REL-006", "`reset` drops the connection and its state, and the next `execute` works again."],
    ["REL-007", "The MCP server finds the relay and its token without configuration."],
  ]),
  ...section("004 extension messages", [
    ["REL-008", "`listTabs` returns all eligible tabs and leaves out those a debugger cannot attach to."],
    ["REL-009", "`attachTab` with `tabId` and `sessionId` attaches the debugger."],
    ["REL-010", "`detachTab` with `tabId` detaches the debugger."],
    ["REL-011", "`createTab` with `url` and `sessionId` opens a tab and attaches to it."],
    ["REL-012", "`closeTab` with `tabId` closes the tab."],
    [
      "REL-013",
      "`cdpCommand` with `tabId`, `method`, `params` and optional `childSessionId` forwards one CDP command.",
    ],
    [
      "REL-014",
      "`cdpEvent` brings a CDP event with `tabId`, `method`, `params` and optional `childSessionId`.",
    ],
    ["REL-015", "`tabDetached` brings `tabId` and `reason` when a tab loses its debugger."],
    ["REL-016", "`tabUpdated` brings `tabId` and the changed `url` or `title`."],
    [
      "REL-017",
      "A command with `id` is answered by the same `id` with `result`, or with `error` as a string.",
    ],
  ]),
  ...section("004 intercepted commands", [
    ["REL-018", "`Browser.getVersion` is answered by the relay with a synthetic version."],
    ["REL-019", "`Browser.setDownloadBehavior` is answered with an empty object and does nothing."],
    ["REL-020", "`Target.setDiscoverTargets` emits `targetCreated` for every known target."],
    [
      "REL-021",
      "`Target.setAutoAttach` sends `attachedToTarget` for every tab, and then its answer, as Chrome does.",
    ],
    ["REL-022", "`Target.getTargets` and `Target.getTargetInfo` are answered from the relay's cache."],
    ["REL-023", "`Target.attachToTarget` returns the session id that the target already has."],
    [
      "REL-024",
      "`Target.createTarget` opens a tab and `Target.closeTarget` closes it, through the extension.",
    ],
    ["REL-025", "Every other command reaches the extension as `cdpCommand`."],
  ]),
  ...section("004 patterns: Runtime.enable", [
    ["REL-026", "A forwarded `Runtime.enable` is run as disable, a 50 ms wait and enable."],
    ["REL-027", "After a repeated `Runtime.enable` the client gets `executionContextCreated` again."],
  ]),
  ...section("004 patterns: keepalive", [
    ["REL-028", "The relay sends `ping` every 5 seconds and the extension answers `pong`."],
    ["REL-029", "An alarm every 30 seconds wakes the service worker so that it reconnects."],
    [
      "REL-030",
      "After its service worker was killed, the extension reconnects and its tabs can be driven again.",
    ],
  ]),
  ...section("004 patterns: lazy attachment", [
    ["REL-031", "Connecting a client attaches the debugger to no tab, however many are open."],
    ["REL-032", "The first command that needs a tab attaches the debugger to that tab only."],
    ["REL-033", "Two first commands at the same moment attach once."],
    ["REL-034", "Some 40 initial methods get synthetic replies without attaching."],
    ["REL-035", "`Page.createIsolatedWorld` is among the methods that do not attach."],
    [
      "REL-036",
      "A tab attached late has live execution contexts, so that Playwright evaluates in it without hanging.",
    ],
  ]),
  ...section("004 patterns: browser context", [
    ["REL-037", "Every `targetInfo` of the relay has the same, non-empty `browserContextId`."],
    ["REL-038", "`Target.getBrowserContexts` returns exactly that one id."],
  ]),
  ...section("004 patterns: child sessions", [
    [
      "REL-039",
      "Events of a cross-origin frame arrive under its child session, whose parent is the page's session.",
    ],
    ["REL-040", "A command for a child session reaches the frame, and Playwright reads text inside it."],
  ]),
  ...section("004 patterns: detach cascade", [
    ["REL-041", "A detach with reason `canceled_by_user` clears the attached state of all tabs."],
    ["REL-042", "After that cascade a new command can attach a tab again."],
  ]),
  ...section("004 patterns: cdp-url", [
    ["REL-043", "A relay started with `writeCdpUrl: false` leaves the `cdp-url` file untouched."],
    ["REL-044", "A relay writes its client URL to `cdp-url` by default."],
  ]),
  ...section("004 patterns: client mode", [
    ["REL-045", "In `multi-client`, the default, several `/cdp` clients work at the same time."],
    ["REL-046", "In `single-active`, a second `/cdp` connection gets HTTP 409 while the first is open."],
    ["REL-047", "`GET /client-slot` returns `mode`, `busy`, `activeClientId` and `connectedAt`."],
    ["REL-048", "The slot is free again as soon as its client disconnects."],
  ]),
  ...section("004 patterns: standby", [
    ["REL-049", "On 409 the MCP server polls `/client-slot` at random intervals of 200 to 400 ms."],
    ["REL-050", "It connects once `busy` is false, and gives up with an error after 30 seconds."],
  ]),
  ...section("004 chat identity", [
    ["REL-051", "The side panel lists earlier chats, and any of them can be resumed."],
    ["REL-052", "A new chat gets a generated UUID or ULID, never a fixed one."],
    ["REL-053", "A chat's metadata and transcript are saved and survive a restart of the hub."],
    ["REL-054", "`/events` streams only the chat whose `sessionId` it was asked for."],
    ["REL-055", "`/events` refuses a request without a `sessionId`."],
    ["REL-056", "Starting another provider run does not change which chat is selected."],
  ]),
  ...section("004 chat continuity and usage", [
    ["REL-057", "`providerState.codex.sessionId` of a chat keeps the provider's thread id."],
    [
      "REL-058",
      "The next run receives that id as `resumeSessionId` and calls `codex exec resume <id> --json`.",
    ],
    ["REL-059", "`providerState.codex.latestUsage` keeps the newest token figures."],
    ["REL-060", "A run emits `run.provider_session` and `run.usage`, and the store saves both."],
    [
      "REL-061",
      "`GET /v1/sessions/:sessionId` returns the saved usage, and the side panel shows it on opening.",
    ],
    ["REL-062", "Without usage figures the side panel shows `Context: unavailable`."],
  ]),
  ...section("004 security", [
    ["REL-063", "By default the relay is reachable on 127.0.0.1 only."],
    ["REL-064", "`/extension` refuses every `Origin` that is not `chrome-extension://`."],
    ["REL-065", "`/cdp` refuses a connection without the right token in its query."],
    ["REL-066", "The token is 32 random bytes in base64url."],
    ["REL-067", "The token file has mode 0600."],
    ["REL-068", "A second extension connection gets HTTP 409, and the first keeps working."],
  ]),
  ...section("004 checklist", [
    ["REL-069", "When the extension disconnects, every pending command is rejected."],
    ["REL-070", "When a tab closes, its target, session and child sessions are gone from every answer."],
    ["REL-071", "After a tab was closed, `context.pages()` no longer lists it."],
  ]),
  ...section("004 key files", [
    ["REL-072", "The extension is MV3 with the permissions debugger, tabs, storage and alarms."],
    ["REL-073", "The popup shows the connection state and the available tabs."],
    ["REL-074", "The popup lets the person change the relay URL."],
    ["REL-075", "Importing the relay's module starts no server; only starting it does."],
  ]),
];
