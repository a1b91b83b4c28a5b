/**
 * Names of members that only our own code uses, which the bundles shorten. None may be a name on a wire, of the public
 * API, or of the platform: `tests/integration/workspace/internal-names.test.ts` checks that.
 */
export const INTERNAL_NAMES = `
  acting activity addText addThing anchorNumbers anchorOf answerDialog answered areInRows attempt
  begun blocks byElement capacity censor cleanStack common concernsUs controlOf coveredBy deliver
  delivered deltasSince describesItself detach dial dialogs distinguish drawings dress elementOf
  embeddedValue emitSnapshot emitState entryOf everything firstMs follow forgetDoubtful frameNames
  fresh geometry geometryChanged greeting guard handlers hides hidesNode holder holdOpen identitiesOf
  identity idPrefix inFlight inRowsLike isAttached isOpen isOurs isPart isPreformatted isPrivate
  isReferenced isSecretField isStale isThing itemOf joined joinsChunks keep known labelled lastChange
  lastSent lastWhole late letsPressThrough listen listeners live loaded looksSecret lose masker
  matchesRedact maxMessages maxPerSecond mayLookDifferent named navigations newLine nextCall
  nextChunk nodeEnv nodesOf normal nothingMarked numbers ofEvent onAgents onClose onCommand onDrop
  onFieldChange onLost onMessage onOpen onReady onStop others outbox outcomes owners passwords paths
  pieces places placesChanged prefixes prepare preparing recordMovement recordRequest recursion refOf
  refresh refs remember resync resyncing resyncTimer retryTimer ring roleOf room roots running
  runOnce scheduled scheduleResync scopes selectors sendFirst sendState sendTree sendWhole
  sentVersion setAgents setDeltas setLive shapes socket special spent stale startedAt structure
  subtrees survey suspend suspended sweep takeCost targetOf textsOf throughFrames toCommandResult
  toResultText trackInput traits transport tree unsuspend urgent used viewportOf viewports visit
  viteProd volatile wake wanted watch welcomeTimer wire writeContent writeElement
`
  .trim()
  .split(/\s+/);
