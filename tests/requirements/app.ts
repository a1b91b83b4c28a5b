import { type Requirement, section } from "./requirement.js";

export const appRequirements: readonly Requirement[] = [
  ...section("000 §2.1", [
    ["APP-001", "The SDK works in an app without a framework, in a React app and in a Vue app."],
    ["APP-002", "An app and an agent meet only when they connect with the same `sessionId`."],
  ]),
  ...section("000 §3.1", [
    ["APP-003", "Every message carries `sessionId`, `timestamp` in epoch milliseconds, `origin` and `type`."],
    ["APP-004", "`origin` is `app` or `agent`; any other value fails validation."],
    ["APP-005", "Every type of the protocol validates against one schema that `type` discriminates."],
  ]),
  ...section("000 §3.2", [
    ["APP-006", "On connection the app sends `hello` with `url` and `userAgent`."],
    [
      "APP-007",
      "`hello` carries `appName` and `appVersion` when the app gives them and is valid without them.",
    ],
    [
      "APP-008",
      "`capabilities` follows `hello` and lists as strings exactly the features that are switched on.",
    ],
    ["APP-009", "`capabilities` names `eval` only when the app enabled evaluation."],
  ]),
  ...section("000 §3.3", [
    ["APP-010", "`dom_snapshot` carries in `html` the outer HTML of the document element."],
    ["APP-011", "A `dom_snapshot` is sent on connection when snapshots are enabled."],
    ["APP-012", "`dom_mutations` carries an array of entries with `mutationType` and `targetSelector`."],
    ["APP-013", "A `childList` entry has `addedNodes` and `removedNodes` as HTML or text."],
    ["APP-014", "A changed attribute yields an `attributes` entry with its `attributeName`."],
    ["APP-015", "A changed text node yields a `characterData` entry with the new `textContent`."],
    ["APP-016", "`targetSelector` selects the mutated element in the page at that moment."],
  ]),
  ...section("000 §3.4", [
    ["APP-017", "Every `ui_tree` item has `id`, `selector` and `role`."],
    ["APP-018", "An item whose element has `data-testid` uses that value as its `id`."],
    ["APP-019", "An item without `data-testid` gets a generated `id` that stays the same between two trees."],
    ["APP-020", "`selector` of an item is a CSS path that selects exactly its element."],
    [
      "APP-021",
      "`role` is the element's ARIA role: button, link, textbox and so on; targets may name the tag instead.",
    ],
    ["APP-022", "`text` is the trimmed inner text of the element."],
    ["APP-023", "`disabled` is true for a disabled control and false for an enabled one."],
    ["APP-024", "`visible` is false for an element without boxes and true for one that is rendered."],
    ["APP-025", "`meta` carries `aria-label`, `type` and `name` where the element has them."],
    [
      "APP-026",
      "The default tree holds buttons, links, inputs, elements with role button, and whatever reacts to clicks.",
    ],
  ]),
  ...section("000 §3.5", [
    ["APP-027", "`console` carries `level` (log, info, warn or error) and `args` that are already strings."],
    ["APP-028", "`error` carries `message`, `stack`, `filename`, `lineno` and `colno` of an uncaught error."],
    ["APP-029", "`unhandledrejection` carries the stringified `reason` of the rejected promise."],
  ]),
  ...section("000 §3.6", [
    ["APP-030", "`state_update` carries a `scope` string and a JSON-serialisable `state`."],
  ]),
  ...section("000 §3.7", [
    ["APP-031", "`click` names its target by `selector`, `id` or `text`."],
    ["APP-032", "`type` names its target by `selector` or `id` and carries `text`, and optionally `clear`."],
    ["APP-033", "`navigate` carries `url` and navigates the page to it."],
    [
      "APP-034",
      "`evaluate` carries `code` and an optional `requestId`, and returns the stringified value in `result`.",
    ],
    ["APP-035", "`request_ui_tree` yields a `ui_tree` and then a successful `command_result`."],
    ["APP-036", "`request_dom_snapshot` yields a `dom_snapshot` and then a successful `command_result`."],
    [
      "APP-037",
      "Every command is answered by exactly one `command_result` with `requestType` and `success`.",
    ],
    ["APP-038", "`command_result` repeats the `requestId` of its command."],
    ["APP-039", "A failed command has `success: false` and an `error` string."],
  ]),
  ...section("000 §4.1", [
    ["APP-040", "An app reports its state through `getCustomState` and the agent receives it on connection."],
    ["APP-041", "`createDebugBridge` opens no socket; only `connect()` does."],
  ]),
  ...section("000 §4.2", [
    [
      "APP-042",
      "`createDebugBridge` requires `url` and `sessionId` and takes every other option as optional.",
    ],
    ["APP-043", "A token in `headers` authenticates the app's connection to a hub that demands one."],
    ["APP-044", "`enableDomSnapshot: false` means that no snapshot is sent on connection."],
    ["APP-045", "`enableDomMutations: false` means that no `dom_mutations` are sent."],
    ["APP-046", "`enableUiTree: false` means that no `ui_tree` is sent on its own."],
    ["APP-047", "`enableConsole: false` leaves the console methods untouched."],
    ["APP-048", "`enableErrors: false` means that no `error` and no `unhandledrejection` is sent."],
    ["APP-049", "`enableEval` is false unless the app sets it."],
    ["APP-050", "Each key that `getCustomState` returns becomes one `state_update` whose scope is that key."],
    ["APP-051", "`getUiTreeItems` replaces the default builder of the `ui_tree` items."],
    [
      "APP-052",
      "`disconnect()` closes the socket and removes the observer, the console hook and the listeners.",
    ],
    ["APP-053", "`sendCustomState(scope, state)` sends one `state_update` with that scope and state."],
    [
      "APP-054",
      "The first `dom_snapshot`, `ui_tree` and `state_update` come after `hello` and `capabilities`.",
    ],
  ]),
  ...section("000 §4.3", [
    ["APP-055", "Console methods of the page still print their original arguments when hooked."],
    [
      "APP-056",
      "Circular, huge and throwing arguments are stringified without an exception reaching the app.",
    ],
    [
      "APP-057",
      "The observer covers subtree, child list, attributes and character data of the whole document.",
    ],
    ["APP-058", "A target that matches nothing fails with `target_not_found`."],
    ["APP-059", "Clicking runs the element's click handlers as a click by a person does."],
    ["APP-060", "`type` focuses the element and appends `text` to its value."],
    ["APP-061", "`type` with `clear: true` replaces the previous value."],
    ["APP-062", "`type` dispatches a bubbling input event that React and Vue accept as a change."],
    ["APP-063", "`evaluate` without permission fails with `eval_disabled`."],
    ["APP-064", "An exception in evaluated code becomes the `error` of the result."],
    ["APP-065", "An error without a message is reported as `unknown_error`."],
    [
      "APP-066",
      "Of several target keys `selector` is used first, then `id`, then `text`; an unknown `id` falls through to `text`.",
    ],
    ["APP-067", "Every `id` of the newest `ui_tree`, given or generated, resolves to its element."],
    [
      "APP-068",
      "A `text` target equals the whole trimmed text of a button, a link or an element of role button.",
    ],
  ]),
  ...section("000 §5.1", [
    ["APP-069", "The hub accepts WebSocket connections on `/debug` of port 4000 by default."],
    ["APP-070", "A message from an app reaches every agent of the same session and nobody else."],
    [
      "APP-071",
      'A command from an agent reaches the newest app of the same session, or with `instanceId: "all"` every app of it, and no other agent.',
    ],
    ["APP-072", "Two sessions never see each other's messages."],
  ]),
  ...section("000 §5.2", [
    ["APP-073", "A connection without `role` is an app and one without `sessionId` joins `default`."],
    ["APP-074", "A frame that is not JSON is not forwarded and the connection stays open."],
    ["APP-075", "A client that closed is forgotten and receives nothing more."],
  ]),
  ...section("000 §5.3", [
    ["APP-076", "A plain WebSocket client without an SDK can act as an agent through the URL alone."],
  ]),
  ...section("000 §6", [
    ["APP-077", "An agent that connects receives `hello`, `capabilities` and the enabled first telemetry."],
    ["APP-078", "After a click on id `start` the agent sees its `command_result` and the `dom_mutations`."],
    [
      "APP-079",
      "An agent types into the item whose `meta.name` is `email`, and the app's state shows the text.",
    ],
  ]),
  ...section("000 §7.1", [
    ["APP-080", "The SDK connects in development and refuses in production unless the app allows it."],
    ["APP-081", "A hub that demands a token refuses an app or agent without it."],
    ["APP-082", "A hub restricted to certain origins refuses an app from any other."],
  ]),
  ...section("000 §7.2", [
    ["APP-083", "Mutations are collected for 50 to 100 ms and sent as one message."],
    ["APP-084", "At most two `ui_tree` updates per second are sent on their own."],
    ["APP-085", "A large console argument is truncated with a visible mark."],
    ["APP-086", "A huge DOM fragment in a mutation is truncated with a visible mark."],
    [
      "APP-087",
      "DOM, UI tree, state, logs and errors can each be switched off without affecting the others.",
    ],
  ]),
  ...section("000 §9", [
    ["APP-088", "`hello` and `capabilities` carry `protocolVersion: 1`."],
    ["APP-089", "A fresh project can install and use `@debug-bridge/browser` and `@debug-bridge/server`."],
    [
      "APP-090",
      "The agent guide describes every message and command and is short enough for a system prompt.",
    ],
  ]),
  ...section("architecture §5", [
    [
      "APP-091",
      "An app with the published SDK `debug-bridge-browser` 0.2 is observed, used and read like any other app.",
    ],
    [
      "APP-094",
      "`meta` of an item is free-form, and long texts are cut, whatever the app names its items by.",
    ],
    ["APP-095", "Items of the app that cannot be used are reported in the page's console and to the agent."],
    ["APP-096", "State without a scope is refused in the page's console."],
    ["APP-092", "An answer that is refused is not answered, so that no peer can start a loop."],
    ["APP-093", "A peer that is refused again and again is disconnected with one reason and one audit line."],
  ]),
];
