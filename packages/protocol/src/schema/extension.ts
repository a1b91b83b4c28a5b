import { z } from "zod";
import { idField, lineField, textField, urlField } from "./fields.js";

const tabId = z.int().min(0);
const sessionId = idField;
const cdpMethod = z
  .string()
  .max(256)
  .regex(/^[A-Za-z]+\.[A-Za-z]+$/, 'must be a CDP method such as "Page.enable"');
const cdpParams = z.record(z.string(), z.unknown());
const requestId = z.int().min(1);
/** A `data:` URL may be a download too, and is as long as what it holds. */
const downloadUrl = z.string().max(64 * 1024 * 1024);

/** What agents may do in a shared tab: everything, look, or everything on one site. */
export const tabAccessSchema = z.object({
  level: z.enum(["full", "read-only", "site"]),
  /** The host that the tab is locked to, with its subdomains. */
  site: lineField.optional(),
});
export type TabAccess = z.infer<typeof tabAccessSchema>;
/** The client that a command is for, by the name that the person sees. Grants belong to it. */
const client = lineField.optional();

function command<Method extends string, Params extends z.ZodType>(method: Method, params: Params) {
  return z.object({ id: requestId, method: z.literal(method), params });
}

export const listTabsSchema = command("listTabs", z.object({}).optional());
export const attachTabSchema = command("attachTab", z.object({ tabId, sessionId }));
export const detachTabSchema = command("detachTab", z.object({ tabId }));
export const createTabSchema = command(
  "createTab",
  z.object({ url: urlField, sessionId, background: z.boolean().optional(), client }),
);
export const closeTabSchema = command("closeTab", z.object({ tabId }));
export const cdpCommandSchema = command(
  "cdpCommand",
  z.object({
    tabId,
    method: cdpMethod,
    params: cdpParams.optional(),
    childSessionId: idField.optional(),
    /** `Runtime.enable` as it is: the sender knows that it was off, so nothing has to be reported again. */
    plain: z.boolean().optional(),
    /**
     * Refused if it acts, as it would be under the person's own setting. The hub has put code of a client into a world
     * where it cannot reach the page's own code.
     */
    readOnly: z.boolean().optional(),
    client,
    /** A command of the hub itself: code in it is the page engine. */
    own: z.boolean().optional(),
  }),
);
/** Shows a tab in its window; neither raises the window nor takes the focus. */
export const activateTabSchema = command("activateTab", z.object({ tabId }));
export const setPermissionsSchema = command(
  "setPermissions",
  z.object({
    /** Every site, when it is left out. */
    origin: urlField.optional(),
    permissions: z.array(lineField).max(100),
    setting: z.enum(["allow", "block", "ask"]),
    client,
  }),
);
export const resetPermissionsSchema = command("resetPermissions", z.object({ client }).optional());
/** Where the file of a download is; answered once it is complete. */
export const findDownloadSchema = command("findDownload", z.object({ url: downloadUrl, since: z.number() }));
export const cancelDownloadSchema = command(
  "cancelDownload",
  z.object({ url: downloadUrl, since: z.number() }),
);
/** Which clients use a tab now, shown to the person; none when the list is empty. Has no answer. */
export const tabUsageSchema = z.object({
  method: z.literal("tabUsage"),
  params: z.object({ tabId, clients: z.array(lineField).max(100) }),
});
/** Clients that are connected and wait, because no tab is shared. The person is asked. Has no answer. */
export const clientsWaitingSchema = z.object({
  method: z.literal("clientsWaiting"),
  params: z.object({
    clients: z.array(lineField).max(100),
    /** The address of the dashboard, for the link in the popup. */
    dashboard: urlField.optional(),
  }),
});
/** Keepalive, every 5 seconds. Answered by `pong`, so it has no id. */
export const extensionPingSchema = z.object({ method: z.literal("ping") });

/** What the relay sends to the extension. */
export const extensionCommandSchema = z.discriminatedUnion("method", [
  listTabsSchema,
  attachTabSchema,
  detachTabSchema,
  createTabSchema,
  closeTabSchema,
  cdpCommandSchema,
  activateTabSchema,
  setPermissionsSchema,
  resetPermissionsSchema,
  findDownloadSchema,
  cancelDownloadSchema,
  tabUsageSchema,
  clientsWaitingSchema,
  extensionPingSchema,
]);
export type ExtensionCommand = z.infer<typeof extensionCommandSchema>;

const tabStatus = z.enum(["loading", "complete"]);

/** A tab as `listTabs` and `createTab` report it. */
export const extensionTabSchema = z.object({
  tabId,
  url: urlField,
  title: textField,
  /** Whether it is in front: the active tab of the window that was focused last. */
  active: z.boolean().optional(),
  /** The id that CDP gives the tab; known without attaching. */
  targetId: idField.optional(),
  attached: z.boolean().optional(),
  status: tabStatus.optional(),
  /** The tab whose page opened this one. */
  openerTabId: tabId.optional(),
  /** Discarded by the browser: it is loaded again when a client uses it. */
  discarded: z.boolean().optional(),
  access: tabAccessSchema.optional(),
});
export type ExtensionTab = z.infer<typeof extensionTabSchema>;

function event<Method extends string, Params extends z.ZodRawShape>(method: Method, params: Params) {
  return z.object({ method: z.literal(method), params: z.object(params) });
}

export const cdpEventSchema = event("cdpEvent", {
  tabId,
  method: cdpMethod,
  params: cdpParams.optional(),
  childSessionId: idField.optional(),
});
export const tabDetachedSchema = event("tabDetached", { tabId, reason: lineField });
export const tabUpdatedSchema = event("tabUpdated", {
  tabId,
  url: urlField.optional(),
  title: textField.optional(),
  status: tabStatus.optional(),
  active: z.boolean().optional(),
  access: tabAccessSchema.optional(),
});
/** A tab can be debugged now: it was opened, shared, or left a restricted page. */
export const tabOpenedSchema = event("tabOpened", { tab: extensionTabSchema });
/**
 * A tab is gone: closed, or on a restricted page; `stopped`: the person stopped sharing it; `left_site`: it went to another
 * site than the one that it is locked to.
 */
export const tabClosedSchema = event("tabClosed", {
  tabId,
  reason: z.enum(["stopped", "left_site"]).optional(),
});
/** The person does not share any tab with the clients that wait. */
export const sharingRefusedSchema = event("sharingRefused", { clients: z.array(lineField).max(100) });
/** The person shows something of a shared tab to an agent: the hub prepares it as for a command. */
export const tabWantedSchema = event("tabWanted", { tabId });
/** The first message of an extension: the browser that it runs in. */
export const extensionHelloSchema = event("hello", {
  userAgent: lineField,
  /** `Chrome/156.0.8078.79` */
  product: lineField,
  extensionVersion: lineField.optional(),
});
/** The person's settings in the popup: sent after `hello` and whenever they change. Each tab has its own access. */
export const accessChangedSchema = event("accessChanged", {
  share: z.enum(["chosen", "all"]),
  /** The access of tabs that are shared from now on, and of what concerns no tab. */
  access: tabAccessSchema,
});
export const extensionPongSchema = z.object({ method: z.literal("pong") });

/** What the extension reports without a request. */
export const extensionEventSchema = z.discriminatedUnion("method", [
  cdpEventSchema,
  tabDetachedSchema,
  tabUpdatedSchema,
  tabOpenedSchema,
  tabClosedSchema,
  sharingRefusedSchema,
  tabWantedSchema,
  accessChangedSchema,
  extensionHelloSchema,
  extensionPongSchema,
]);
export type ExtensionEvent = z.infer<typeof extensionEventSchema>;

/** The extension's answer to a command with an id: exactly one of `result` and `error`. */
export const extensionResponseSchema = z.union([
  z.object({ id: requestId, error: textField }),
  z.object({ id: requestId, result: z.unknown() }).refine((response) => "result" in response, {
    path: ["result"],
    message: "a response has a result or an error",
  }),
]);
export type ExtensionResponse = z.infer<typeof extensionResponseSchema>;

/** Anything that the extension may send. */
export const extensionMessageSchema = z.union([extensionEventSchema, extensionResponseSchema]);
export type ExtensionMessage = z.infer<typeof extensionMessageSchema>;
