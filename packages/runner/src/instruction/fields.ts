import { browserInstructionSchema } from "@debug-bridge/protocol/schemas";

/** For each action the fields that it takes. */
export const FIELDS: ReadonlyMap<string, readonly string[]> = new Map(
  browserInstructionSchema.options.map(({ shape }) => [shape.type.value, Object.keys(shape)]),
);

export const ACTIONS: readonly string[] = [...FIELDS.keys()];

/** A value for each field that is right wherever the field is allowed: what a corrected instruction shows. */
export const EXAMPLE_VALUES: Readonly<Record<string, string>> = {
  url: "http://localhost:3000/",
  targets: "Sign in",
  selector: "#submit",
  ref: "e12",
  xRange: '{"min": 100, "max": 120}',
  yRange: '{"min": 40, "max": 60}',
  visualVerify: "true",
  visualThreshold: "0.05",
  button: "left",
  text: "some text",
  clear: "true",
  delay: "0",
  direction: "down",
  amount: "600",
  quality: "25",
  fullPage: "false",
  maxBytes: "500000",
  key: "Enter",
  value: "an option",
  ms: "1000",
  code: "document.title",
  steps: "5",
  maxTokens: "2000",
  cursor: "m12",
  answer: "accept",
  for: "next",
  files: '[{"name": "a.txt", "text": "hello"}]',
  page: "1",
  acceptInsecureCerts: "true",
  networkDetails: "true",
  waitUntil: "load",
  timeoutMs: "15000",
  screenshots: "after",
  debug: "true",
  logFilter: '{"types": ["error", "warning"]}',
  headless: "true",
  userDataDir: "/tmp/profile",
  tempProfile: "true",
  width: "1280",
  height: "800",
  deviceScaleFactor: "1",
  maxConsecutiveErrors: "3",
  totalErrorThreshold: "10",
  maxRetries: "3",
  retryDelay: "1000",
  retryOnErrors: '["Session closed"]',
};

/** What an action cannot do without. */
export const NEEDED: Readonly<Record<string, readonly string[]>> = {
  start: ["url"],
  navigate: ["url"],
  click: ["targets"],
  type: ["targets", "text"],
  press: ["key"],
  hover: ["targets"],
  select: ["targets", "value"],
  evaluate: ["code"],
  dialog: ["answer"],
  upload: ["targets", "files"],
  switch: ["page"],
};
