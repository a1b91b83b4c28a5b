import { z } from "zod";
import { FIELD_LIMITS } from "../../limits.js";
import { countField, idField, lineField, refField, urlField } from "../fields.js";

/** Why a person cannot use an element now. Absent if they can. */
export const HIDDEN_REASONS = ["hidden", "zero-size", "occluded", "off-screen", "inert"] as const;

/**
 * A member that apps may use for something else: what is of another type is accepted. The type says what our own pages send;
 * readers of items from other apps check it.
 */
function free<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<Schema> {
  return z.union([schema, z.unknown()]).optional() as unknown as z.ZodOptional<Schema>;
}

/** Free-form. These members have a meaning to us. */
const metaSchema = z.looseObject({
  "aria-label": free(lineField),
  type: free(lineField),
  name: free(lineField),
  value: free(z.string().max(FIELD_LIMITS.text)),
  placeholder: free(lineField),
  href: free(urlField),
  checked: free(z.union([z.boolean(), z.literal("mixed")])),
  expanded: free(z.boolean()),
  selected: free(z.boolean()),
  /** What kind of text field it is: `email`, `multiline`. */
  kind: free(lineField),
  /** The labels of a list's first options. */
  options: free(lineField),
  /** Colour and size of what nothing else identifies. */
  look: free(lineField),
});

/** One element that a person could use. */
export const uiTreeItemSchema = z.object({
  /** `data-testid`, or a generated id that stays as long as the element. */
  id: lineField.min(1),
  /** A CSS path that finds the element now; `>>>` steps into a shadow root or a frame. */
  selector: lineField,
  role: lineField,
  text: lineField.optional(),
  /** The accessible name, where it is not the text. */
  name: lineField.optional(),
  disabled: z.boolean().optional(),
  visible: z.boolean().optional(),
  /** Why it is not visible. */
  hiddenBy: z.enum(HIDDEN_REASONS).optional(),
  ref: refField.optional(),
  /** The heading or landmark that it belongs to. */
  section: lineField.optional(),
  meta: metaSchema.optional(),
});

export type UiTreeItem = z.infer<typeof uiTreeItemSchema>;

const itemsField = z.array(uiTreeItemSchema).max(FIELD_LIMITS.uiItems);

export const uiTreeShape = {
  /** The page load that this tree belongs to. */
  instanceId: idField.optional(),
  items: itemsField,
  /** Counts the changes of the tree; `ui_tree_delta` and `since` refer to it. */
  version: countField.optional(),
  /** True when there were more elements than one message may hold. */
  truncated: z.boolean().optional(),
} as const;

export const uiTreeDeltaShape = {
  instanceId: idField.optional(),
  since: countField,
  version: countField,
  added: itemsField,
  changed: itemsField,
  removed: z.array(lineField).max(FIELD_LIMITS.uiItems),
} as const;
