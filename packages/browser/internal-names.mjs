/**
 * Names of members that only our own code uses, which the bundles shorten. None may be a name on a wire, of the public
 * API, or of the platform: `tests/integration/workspace/internal-names.test.ts` checks that.
 */
export const INTERNAL_NAMES = `
  activity addText addThing admit anchorNumbers anchorOf answered areInRows arrayItems attempt begun
  blocks budget builtIn byElement byRef capacity censor changes cleanStack common concernsUs contextOf
  controlOf coveredBy deliver delivered deltasSince describe describesItself detach dial distinguish doubt
  drawings dress during elementOf elementsIn embeddedValue emitSnapshot emitState entryOf epoch
  evaluateElsewhere everything expect failed fields firstAfter firstMs follow forget forgetDoubtful found
  fresh geometry geometryChanged goingTo greeting guard handlers hides hidesNode holdOpen identitiesOf
  identity idOf idPrefix inFlight inRowsLike isAttached isCut isDoubtful isHandled isOpen isOurs isPart
  isPreformatted isPrivate isReferenced isSecretField isStale isTaken isThing itemOf joinsChunks keep
  known labelled labelledBy last lastChange lastSent lastWhole late leaving letsPressThrough listen
  listeners listening live loaded loadFind looksSecret lose masker matchesRedact maxMessages maxPerSecond
  mayLookDifferent named navigations newLine nextCall nextChunk nodeEnv nodeHtml nodesOf normal
  nothingMarked numbers objectKeys observer ofEvent onAgents onClose onCommand onDrop onFieldChange onLost
  onMessage onOpen onReady onStop others ours outbox outcomes owners partAround passwords pathIn paths
  places placesChanged prefixes prefixOf prepare preparing recordMovement recordRequest recursion refOf
  refresh refs remember resync resyncing resyncTimer retryTimer ring room roots running runOnce scheduled
  scheduleResync scopes selectors sendDelta sendFirst sendState sendTree sendWhole sentVersion setAgents
  setDeltas setLive shapes socket special spent stale startedAt stringBytes structure subtrees survey
  suspend suspended sweep takeCost targetOf textsOf throughFrames toCommandResult tokensOf toResultText
  trackInput traits transport tree unsuspend urgent usableIn versions viewportOf viewports viteProd
  volatile wake wanted wantsElement watch welcomeTimer wire within
`
  .trim()
  .split(/\s+/);
