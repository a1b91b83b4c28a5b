/**
 * Every wire of Debug Bridge as data. This entry holds types, names, limits, errors and the peer, and no validator:
 * it is small enough for a page. The validators are in `@debug-bridge/protocol/schemas`.
 */

export { compare, type Difference } from "./agent-runs/compare.js";
export { type RunStep, runStepOf } from "./agent-runs/run-step.js";
export { type AccessClass, cdpMethodClasses, classifyCdpMethod, EVALUATING } from "./cdp/classify.js";
export { GRANT_TEXT, GRANTS, type Grant } from "./cdp/grants.js";
export { type CdpAccess, type CdpParams, type CdpRefusal, type CdpVerdict, judgeCdp } from "./cdp/judge.js";
export { forbiddenUrl, type Permit, permitCommand } from "./cdp/permit.js";
export { canBeChecked, type ReadOnlyForm, readOnlyForm, withoutSideEffects } from "./cdp/read-only.js";
export { refusalCode, refusalMessage } from "./cdp/refusal.js";
export { restriction } from "./cdp/restricted.js";
export { isOnSite } from "./cdp/sites.js";
export { StandingCasts } from "./cdp/standing-casts.js";
export type * from "./chat/provider.js";
export * from "./chat/run-client.js";
export {
  type AgentOutcome,
  AnswerReader,
  answerFromCodi,
  answerToCodi,
  eventFromCodi,
  isUnknownCommand,
} from "./codi/answers.js";
export { codiResponds, fromCodi, type PlainCommand, toCodi } from "./codi/commands.js";
export {
  argumentText,
  ellipsize,
  levelOf,
  parseFrame,
  stackFrames,
  type ValuePart,
  type ValueTextOptions,
  valueText,
} from "./console/console-text.js";
export { applyFormat, formatConsoleArguments } from "./console/format.js";
export { liberalEvent } from "./console/liberal.js";
export {
  type ConsoleAppMessage,
  type ExtensionLine,
  fromAppMessage,
  fromConsoleEvent,
  isConsoleMessage,
  originOf,
} from "./console/normalize.js";
export * from "./console/record.js";
export * from "./errors.js";
export { readActionList } from "./forms/action-list.js";
export { type AgentSideEvent, agentSideForm, appSideForm, type CommandOutcome } from "./forms/app-form.js";
export { frontSession } from "./front-session.js";
export { isJsonObject, isObject } from "./input/is-object.js";
export { isDeepJson } from "./input/json-depth.js";
export { isLoopbackName } from "./input/loopback.js";
export { SseParser } from "./input/sse-parser.js";
export { wholeNumber } from "./input/whole-number.js";
export * from "./limits.js";
export * from "./names.js";
export {
  type CodeKeys,
  type CodeSecrets,
  type CodeTranscript,
  checkConfirmation,
  codeSecrets,
  commitCode,
  createCodeKeys,
  createConfirmation,
  isCodePublicKey,
  openPairingKey,
  pairingCode,
  sealPairingKey,
} from "./pairing/code.js";
export { importPanelKey, panelTicket } from "./pairing/panel.js";
export {
  checkProof,
  createPairingHex,
  createProof,
  type Handshake,
  importPairingKey,
  isPairingHex,
  type PairedRole,
  type PairedWire,
} from "./pairing/proof.js";
export { type BackoffOptions, backoffDelay } from "./peer/backoff.js";
export { BoundedQueue, type LostRange, type Queued, type QueueLimits } from "./peer/bounded-queue.js";
export { ChunkJoiner, splitFrame } from "./peer/chunks.js";
export { Correlator, type RequestOptions } from "./peer/correlator.js";
export { IdempotencyCache } from "./peer/idempotency.js";
export { Peer, type PeerRequestOptions } from "./peer/peer.js";
export { RateWindow } from "./peer/rate-window.js";
export { type Incoming, type PeerHandlers, Responder, type WireForm } from "./peer/responder.js";
export { linkedPair, type Transport } from "./peer/transport.js";
export { contentText } from "./records/content-text.js";
export { isDevServerTraffic } from "./records/dev-server-traffic.js";
export { EDIT_OUTCOME_TEXTS, receiptLines, receiptSummary, requestLine } from "./records/receipt-lines.js";
export {
  isRecordType,
  RECORD_KINDS,
  RECORD_LEVELS,
  type RecordKind,
  recordFacts,
} from "./records/record-facts.js";
export {
  fullRecordLine,
  isProblem,
  type ReadableRecord,
  type RecordLevel,
  type RecordLine,
  recordLine,
} from "./records/record-line.js";
export { servedNote } from "./records/served-note.js";
export { whyLines } from "./records/why-lines.js";
export {
  type LocateWritten,
  placeOfRecord,
  type Written,
  writtenPlace,
} from "./records/written-place.js";
export type * from "./schema/agent/breakpoint.js";
export type * from "./schema/agent/commands.js";
export type * from "./schema/agent/events.js";
export type * from "./schema/agent/files.js";
export type * from "./schema/agent/snapshot.js";
export type * from "./schema/api.js";
export type * from "./schema/app/chain.js";
export type * from "./schema/app/commands.js";
export type * from "./schema/app/dialect.js";
export type * from "./schema/app/hub.js";
export type * from "./schema/app/interaction.js";
export type * from "./schema/app/pick.js";
export type * from "./schema/app/results.js";
export type * from "./schema/app/telemetry.js";
export type * from "./schema/app/ui-tree.js";
export type * from "./schema/app/wire.js";
export type * from "./schema/browser-action/config.js";
export type * from "./schema/browser-action/instruction.js";
export type * from "./schema/browser-action/response.js";
export type * from "./schema/budget.js";
export type * from "./schema/chat/chats.js";
export type * from "./schema/chat/events.js";
export type * from "./schema/chat/pictures.js";
export type * from "./schema/chunk.js";
export type * from "./schema/console/argument.js";
export type * from "./schema/console/wire.js";
export type * from "./schema/dev-server.js";
export type * from "./schema/extension.js";
export type * from "./schema/pairing.js";
export type * from "./schema/receipt.js";
export type * from "./schema/settings.js";
export type * from "./schema/timeline.js";
export type * from "./schema/timeline-page.js";
export type * from "./schema/why.js";
export { type FenceSource, fence, shownOrigin } from "./text/fence.js";
export { pictureNote } from "./text/picture-note.js";
export { nearest, similarity } from "./text/similarity.js";
export * from "./text/text.js";
export { estimateTokens } from "./text/tokens.js";
export * from "./versions.js";
