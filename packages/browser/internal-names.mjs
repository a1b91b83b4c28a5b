/**
 * Names of members that only our own code uses, which the bundles shorten. None may be a name on a wire, of the public
 * API, or of the platform: `tests/integration/workspace/internal-names.test.ts` checks that.
 */
export const INTERNAL_NAMES = `
  acting activity addText addThing admit anchorNumbers anchorOf announce answerDialog answered areInRows arrayItems
  attempt blocks budget builtIn byElement byRef capacity censor changes cleanStack common concernsUs
  contextOf controlOf coveredBy deliver delivered deltasSince describe described describesItself detach dial
  dialogs distinguish invalidate drawings dress during earlyEvents elementOf elementsIn embeddedValue emitSnapshot emitState
  entryOf epoch evaluateElsewhere everything expect explain failed fields firstAfter firstMs folds follow forget
  forgetDoubtful found frameNames fresh geometry geometryChanged goingTo greeting guard handlers hasMoved headersOf
  hides hidesNode holder holdOpen holdsOthers identitiesOf identity idOf idPrefix inFlight inRowsLike
  isAttached isBeforeStart isCovered isCut isDoubtful isExact isFull isHandled isKnown isMessage isOpen
  isOurs isPart isPreformatted isPrivate isReferenced isScheduled isSecretField isStale isStillThere isTaken
  isThing isUsable itemOf joined joinsChunks keep known labelled labelledBy last lastChange lastSent
  lastWhole late leaving letsPressThrough listen listeners listening live loaded loadPart looksSecret lose
  masker matchesRedact maxMessages maxPerSecond mayLookDifferent miss mustLook named navigations newLine
  nextCall nextChunk nodeEnv nodeHtml nodesOf normal nothingMarked numbers objectKeys observer ofEvent
  onAgents onChange onClose onCommand onDrop onFieldChange onLost onMessage onMissing onOpen onReady onStop others ours telemetryBuffer
  outcomes owners partAround passwords pathIn paths pauseUntil pieces places placesChanged prefixes prefixOf
  prepare preparing readAhead readings readInside recordMovement recordRequest recursion refOf refresh refs remember
  restless restyled resync resyncing resyncTimer retryTimer ring roleOf room roots running runOnce scheduled
  scheduleResync scopes selectors sendDelta sendFirst sendState sendTree sendWhole sentVersion setAgents
  setDeltas setLive shapes visibilities socket special spend spent stale startedAt stringBytes structure
  subtrees survey suspects suspend suspended sweep drainCost targetOf textIn textsOf throughFrames
  toCommandResult tokensOf toResultText trackInput traits transport tree unsuspend updateSome urgent
  usableIn used valueLimits versions viewportOf viewports visibleCount visit viteProd volatile wake wanted wantsElement
  goOn heard wasShown watch welcomeTimer wire within writeContent writeElement
  areFew areSelectorsOld describer hasNewRoot hasOtherFrames isAllInvalid isUnbounded isUncertain listed mayBeHidden mayHide
  anyInert confirmed countMoved itemsOf onScreen onTick overlaps problems readingChanges recordPairs refreshAll
  refuseWhenLeaving sizeChanged typeText rowNames setScreen findPasswords recordMutations readOverlays
`
  .trim()
  .split(/\s+/);
