/**
 * Names of members that only our own code uses, which the bundles shorten. None may be a name on a wire, of the public
 * API, or of the platform: `tests/integration/workspace/internal-names.test.ts` checks that.
 */
export const INTERNAL_NAMES = `
  activity anchorNumbers anchorOf answered areInRows attempt begun byElement censor cleanStack
  common concernsUs deliver delivered deltasSince detach dial distinguish drawings dress elementOf
  emitSnapshot emitState entryOf evaluateElsewhere everything firstMs follow forgetDoubtful fresh
  geometryChanged greeting guard handlers hides hidesNode holdOpen identity idPrefix inFlight
  isAttached isOpen isOurs isPrivate isReferenced isSecretField isStale itemOf joinsChunks
  keep lastChange lastSent lastWhole late letsPressThrough listeners loaded looksSecret lose masker
  matchesRedact maxMessages maxPerSecond mayLookDifferent named nextCall nextChunk nodeEnv normal
  nothingMarked ofEvent onAgents onClose onCommand onDrop onFieldChange onLost onMessage onOpen
  onReady onStop others outbox outcomes owners passwords placesChanged preparing recordMovement
  recordRequest recursion refresh remember resync resyncing resyncTimer retryTimer ring room running
  runOnce scheduleResync scopes selectors sendFirst sendState sendTree sendWhole sentVersion setAgents
  setDeltas setLive shapes socket startedAt structure subtrees survey suspend suspended sweep takeCost
  targetOf textsOf throughFrames toCommandResult toResultText trackInput traits transport unsuspend
  urgent viewportOf viewports viteProd volatile wanted welcomeTimer wire
`
  .trim()
  .split(/\s+/);
