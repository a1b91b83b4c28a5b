import { z } from "zod";

/** What a browser is like, such as `{ browser: "chromium", size: "large", place: "eu" }`. */
export type Labels = Readonly<Record<string, string>>;

const MAX_LABELS = 8;
const NAME = /^[a-z][a-z0-9-]{0,30}$/;
const VALUE = /^[\w.-]{1,60}$/;

export const labelsSchema = z
  .record(z.string().regex(NAME), z.string().regex(VALUE))
  .refine((labels) => Object.keys(labels).length <= MAX_LABELS, `at most ${MAX_LABELS} labels`);

/** The key of the queue for requests with these labels. */
export function queueKey(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join(",");
}

/** Whether a hub with its own labels may take requests from a queue. */
export function isFor(key: string, own: Labels): boolean {
  if (key === "") return true;
  return key.split(",").every((label) => {
    const [name = "", value] = label.split("=");
    return Object.hasOwn(own, name) && own[name] === value;
  });
}
