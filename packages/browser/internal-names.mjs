/**
 * Names of members that only our own code uses, which the bundles shorten. None may be a name on a wire, of the public
 * API, or of the platform: `tests/integration/workspace/internal-names.test.ts` checks that.
 */
export const INTERNAL_NAMES = `
  acting activity addText addThing anchorNumbers anchorOf answerDialog answered areInRows attempt
  begun byElement censor cleanStack common concernsUs controlOf coveredBy deliver delivered
  deltasSince describesItself detach dial dialogs distinguish drawings dress elementOf emitSnapshot
  emitState entryOf everything firstMs follow forgetDoubtful fresh geometryChanged
  greeting guard handlers hides hidesNode holder holdOpen identity idPrefix inFlight isAttached
  isOpen isOurs isPart isPreformatted isPrivate isReferenced isSecretField isStale isThing isWritable
  itemOf joinsChunks keep lastChange lastSent lastWhole late letsPressThrough listeners loaded
  looksSecret lose masker matchesRedact maxMessages maxPerSecond mayBeDisabled mayLookDifferent named
  newLine nextCall nextChunk nodeEnv normal nothingMarked ofEvent onAgents onClose onCommand onDrop
  onFieldChange onLost onMessage onOpen onReady onStop others outbox outcomes owners passwords
  placesChanged preparing recordMovement recordRequest recursion refresh remember resync resyncing
  resyncTimer retryTimer ring room running runOnce scheduleResync scopes selectors sendFirst
  sendState sendTree sendWhole sentVersion setAgents setDeltas setLive shapes socket startedAt
  structure subtrees survey suspend suspended sweep takeCost targetOf textsOf throughFrames
  toCommandResult toResultText trackInput traits transport unsuspend urgent viewportOf viewports
  viteProd volatile wanted welcomeTimer wire
`
  .trim()
  .split(/\s+/);
