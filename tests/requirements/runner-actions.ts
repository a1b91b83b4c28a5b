import { type Requirement, section } from "./requirement.js";

export const runnerActionRequirements: readonly Requirement[] = [
  ...section("001 guidelines 4: click", [
    [
      "RUN-069",
      "`targets` holds patterns for elements; the first that matches one visible element is clicked.",
    ],
    ["RUN-070", "`targets` still finds an element whose generated id changed when its text stayed."],
    ["RUN-071", "A click by coordinates requires both `xRange` and `yRange`."],
    ["RUN-072", "The click point is within both ranges; the first try is their midpoint."],
    ["RUN-073", "With `debug`, the chosen coordinates and the ranges are logged."],
    ["RUN-074", "An error about ranges repeats the ranges it was given."],
    ["RUN-075", "A range may be a JSON string of an object with `min` and `max`, which the schema parses."],
    ["RUN-076", "A range that is not valid JSON, or whose `min` exceeds `max`, fails validation."],
    ["RUN-077", "`visualVerify: true` compares screenshots from before and after the click."],
    ["RUN-078", "`visualThreshold` is between 0 and 1 and defaults to 0.05."],
    ["RUN-079", "A change below the threshold counts as no visual change."],
    ["RUN-080", "A click without visual change is repeated until it was tried 3 times."],
    ["RUN-081", "Repeated clicks use random points inside the ranges."],
    ["RUN-082", "With `visualVerify`, 100 ms pass after a click before the second screenshot is taken."],
    ["RUN-083", "The runner waits 500 ms between two tries of a click."],
  ]),
  ...section("001 guidelines 4: screenshots", [
    ["RUN-084", "A screenshot is a JPEG of quality 25 of the visible viewport."],
    ["RUN-085", "Without a request no action returns a screenshot, neither navigation nor scrolling."],
    ["RUN-086", "`screenshots` accepts `none`, `after` and `both`, and defaults to `none`."],
    [
      "RUN-087",
      "A screenshot is an `image` block with a `base64` source of media type `image/jpeg` and `data`.",
    ],
    ["RUN-088", "The response schema refuses a screenshot of any other shape."],
    [
      "RUN-089",
      "A tool result with screenshots is a text block without image data, followed by the image blocks.",
    ],
    ["RUN-090", "A tool result that is a string stays that string; any other becomes JSON."],
    ["RUN-091", "In saved history, image data is replaced by a placeholder."],
    ["RUN-092", "The newest message keeps its screenshot until it has been processed."],
  ]),
  ...section("001 guidelines 4: providers", [
    [
      "RUN-093",
      "For OpenAI vision models an image becomes `image_url` with a `data:image/jpeg;base64,` URL.",
    ],
    ["RUN-094", "For OpenAI models without vision the message passes through unchanged."],
    ["RUN-095", "For Gemini an image becomes `inlineData` with `mimeType` `image/jpeg`."],
    ["RUN-096", "For Deepseek the transform returns the message unchanged."],
    ["RUN-097", "For Anthropic Sonnet the native block is kept as it is."],
    ["RUN-098", "For Anthropic Haiku image blocks are filtered out."],
    [
      "RUN-099",
      "Every provider has its own transform, and a message is only transformed when it is sent to one.",
    ],
  ]),
  ...section("001 loading state", [
    ["RUN-100", "A long action logs an `info` entry with source `tool` and category `loading`."],
    ["RUN-101", "A `loading` entry is reported while its action still runs, so that a view can show it."],
    ["RUN-102", "A view ignores messages that are not JSON."],
  ]),
  ...section("001 message content", [
    ["RUN-103", "Unwanted content is filtered out before transformation, so that no null block appears."],
    ["RUN-104", "Stripping images from a message logs that the model does not support images."],
    ["RUN-105", "String content and array content are both accepted and cleaned up by the same rules."],
  ]),
  ...section("001 debug mode", [
    ["RUN-106", "In debug mode each screenshot is saved in `projects/<project>/screenshots/<session>`."],
    ["RUN-107", "A saved screenshot's name contains its time."],
    ["RUN-108", "A saved screenshot has a metadata JSON file with its settings and metrics."],
    ["RUN-109", "Without debug mode no screenshot is written to disk."],
  ]),
  ...section("001 log handling", [
    ["RUN-110", "History cleanup keeps only logs whose source is `tool`."],
    ["RUN-111", "History cleanup replaces `metrics` by null."],
    ["RUN-112", "Messages above 200 KB travel in chunks and arrive whole; the client never sees a chunk."],
    ["RUN-113", "Each step of shrinking a screenshot is logged."],
    ["RUN-114", "Downscaling keeps the aspect ratio."],
    ["RUN-115", "The viewport after a screenshot is the one from before."],
    ["RUN-116", "A screenshot that cannot be made small enough is omitted with a warning."],
    ["RUN-117", "A log entry has a level out of error, warning, info, debug and verbose."],
    ["RUN-118", "A log entry may have a category out of network, javascript and console."],
    ["RUN-119", "A log entry has a numeric severity."],
    ["RUN-120", "Logs can be filtered by type, by category and by minimum severity."],
    ["RUN-121", "Each log entry appears exactly once in a response."],
    ["RUN-122", "The runner writes to the `logs` array only, never to stdout or stderr."],
    ["RUN-123", "Logs are cleared after each action."],
    ["RUN-124", "In the terminal browser logs carry a `browser:` prefix, such as `browser:error`."],
    ["RUN-125", "In the terminal errors are red, warnings yellow, infos blue, logs and debug green."],
  ]),
  ...section("001 errors", [
    [
      "RUN-126",
      "Every runner error reaches both the response and the person's terminal at the matching level.",
    ],
    ["RUN-127", "Every command that acts is in the audit log with its outcome, once."],
    ["RUN-128", "An error is categorised as JavaScript, network, resource loading or automation."],
  ]),
  ...section("001 testing", [
    [
      "RUN-129",
      "The runner's tests of the browser run against the real Chromium; its parts without one are tested without one.",
    ],
    [
      "RUN-130",
      "Console, error, metric and network events of a real page can each be caused alone in a test.",
    ],
    [
      "RUN-131",
      "Every action is tested on its success path and its error path, each ending with nothing left open.",
    ],
  ]),
  ...section("001 screenshot timing", [
    ["RUN-132", "The screenshot from before an action is taken only when a page is already open."],
    ["RUN-133", "`screenshots` is in the response only when it holds at least one."],
    ["RUN-134", "A failed screenshot before the action logs a warning, and the action still runs."],
    ["RUN-135", "A failed screenshot after the action logs an error, and the response is still returned."],
    ["RUN-136", "The JPEG quality can be configured."],
  ]),
];
