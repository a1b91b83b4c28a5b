/**
 * Names of members that only our own code uses, which the bundles shorten. None may be a name on a wire, of the public
 * API, or of the platform: `tests/integration/workspace/internal-names.test.ts` checks that.
 */
export const INTERNAL_NAMES = `
  activity anchorNumbers anchorOf answered areInRows attempt begun byElement censor cleanStack common
  concernsUs deliver delivered deltasSince described detach dial distinguish drawings dress elementOf
  emitSnapshot emitState entryOf evaluateElsewhere everything firstMs folds follow forgetDoubtful fresh
  geometryChanged greeting guard handlers hasMoved hides hidesNode holdOpen holdsOthers identity idPrefix
  inFlight isAttached isBeforeStart isCovered isExact isFull isKnown isMessage isOpen isOurs isPrivate
  isReferenced isScheduled isSecretField isStale isStillThere isThing isUsable itemOf joinsChunks keep
  labelled lastChange lastSent lastWhole late letsPressThrough listeners loaded looksSecret lose masker
  matchesRedact maxMessages maxPerSecond mayLookDifferent mustLook named nextCall nextChunk nodeEnv
  normal nothingMarked ofEvent onAgents onClose onCommand onDrop onFieldChange onLost onMessage onOpen
  onReady onStop others outbox outcomes owners passwords pauseUntil places placesChanged preparing
  readings readInside recordMovement recordRequest recursion refresh remember restless restyled resync
  resyncing resyncTimer retryTimer ring room running runOnce scheduleResync scopes selectors sendFirst
  sendState sendTree sendWhole sentVersion setAgents setDeltas setLive shapes sightings socket spend
  startedAt structure subtrees survey suspects suspend suspended sweep takeCost targetOf textIn textsOf
  throughFrames toCommandResult toResultText trackInput traits transport unsuspend updateSome
  urgent viewportOf viewports visibleCount viteProd volatile wanted wasShown welcomeTimer wire
`
  .trim()
  .split(/\s+/);
