/** Methods that read and change nothing that the page or the person notices. */
export const LOOK_METHODS: Readonly<Record<string, string>> = {
  Accessibility: `
    disable enable getPartialAXTree getFullAXTree getRootAXNode getAXNodeAndAncestors
    getChildAXNodes queryAXTree`,
  Animation: "disable enable getCurrentTime getPlaybackRate resolveAnimation",
  Audits: "getEncodedResponse disable enable checkFormsIssues",
  Autofill: "disable enable",
  BackgroundService: "startObserving stopObserving",
  Browser: "getVersion getWindowBounds getWindowForTarget",
  CSS: `
    collectClassNames disable enable getBackgroundColors getComputedStyleForNode resolveValues
    getLonghandProperties getInlineStylesForNode getAnimatedStylesForNode getMatchedStylesForNode
    getEnvironmentVariables getMediaQueries getPlatformFontsForNode getStyleSheetText
    getLayersForNode getLocationForSelector trackComputedStyleUpdatesForNode
    trackComputedStyleUpdates takeComputedStyleUpdates startRuleUsageTracking stopRuleUsageTracking
    takeCoverageDelta`,
  Console: "clearMessages disable enable",
  CrashReportContext: "getEntries",
  DOM: `
    collectClassNamesFromSubtree describeNode disable discardSearchResults enable getAttributes
    getBoxModel getContentQuads getDocument getFlattenedDocument getNodesForSubtreeByStyle
    getNodeForLocation getOuterHTML getRelayoutBoundary getSearchResults hideHighlight performSearch
    pushNodeByPathToFrontend pushNodesByBackendIdsToFrontend querySelector querySelectorAll
    getTopLayerElements getElementByRelation requestChildNodes requestNode resolveNode
    setNodeStackTracesEnabled getNodeStackTraces getDetachedDomNodes setInspectedNode getFrameOwner
    getContainerForNode getQueryingDescendantsForContainer getAnchorElement`,
  DOMDebugger: "getEventListeners",
  DOMSnapshot: "disable enable getSnapshot captureSnapshot",
  DOMStorage: "disable enable getDOMStorageItems",
  Debugger: `
    disable getPossibleBreakpoints getScriptSource disassembleWasmModule nextWasmDisassemblyChunk
    getWasmBytecode getStackTrace searchInContent setAsyncCallStackDepth
    setBlackboxExecutionContexts setBlackboxPatterns setBlackboxedRanges`,
  Emulation: "canEmulate getOverriddenSensorInformation getScreenInfos",
  EventBreakpoints: "disable",
  FedCm: "disable",
  Fetch: "disable",
  HeapProfiler: `
    addInspectedHeapObject collectGarbage disable enable getHeapObjectId getObjectByHeapObjectId
    getSamplingProfile startSampling startTrackingHeapObjects stopSampling stopTrackingHeapObjects
    takeHeapSnapshot`,
  IO: "close read resolveBlob",
  IndexedDB: "disable enable",
  Inspector: "disable enable",
  LayerTree: `
    compositingReasons disable enable loadSnapshot makeSnapshot profileSnapshot releaseSnapshot
    replaySnapshot snapshotCommandLog`,
  Log: "clear disable enable startViolationsReport stopViolationsReport",
  Media: "enable disable",
  Memory: "getDOMCounters getDOMCountersForLeakDetection startSampling stopSampling getSamplingProfile",
  Network: `
    canClearBrowserCache canClearBrowserCookies canEmulateNetworkConditions disable enable
    configureDurableMessages getCertificate getResponseBody getRequestPostData
    getResponseBodyForInterception searchInResponseBody setAttachDebugStack streamResourceContent
    getSecurityIsolationStatus enableReportingApi enableDeviceBoundSessions fetchSchemefulSite`,
  Overlay: `
    disable enable getHighlightObjectForTest getGridHighlightObjectsForTest
    getSourceOrderHighlightObjectForTest hideHighlight`,
  Page: `
    captureScreenshot captureSnapshot createIsolatedWorld disable enable getAppManifest
    getInstallabilityErrors getManifestIcons getAppId getAdScriptAncestry getFrameTree
    getLayoutMetrics getNavigationHistory getResourceContent getResourceTree printToPDF
    removeScriptToEvaluateOnLoad removeScriptToEvaluateOnNewDocument screencastFrameAck
    searchInResource getPermissionsPolicyState getOriginTrials setLifecycleEventsEnabled
    startScreencast stopScreencast getAnnotatedPageContent`,
  Performance: "disable enable setTimeDomain getMetrics",
  PerformanceTimeline: "enable",
  Preload: "enable disable",
  Profiler: `
    disable enable getBestEffortCoverage setSamplingInterval start startPreciseCoverage stop
    stopPreciseCoverage takePreciseCoverage`,
  Runtime: `
    disable discardConsoleEntries enable getIsolateId getHeapUsage getProperties
    globalLexicalScopeNames queryObjects releaseObject releaseObjectGroup runIfWaitingForDebugger
    setAsyncCallStackDepth setMaxCallStackSizeToCapture removeBinding getExceptionDetails`,
  Schema: "getDomains",
  Security: "disable enable",
  ServiceWorker: "disable enable",
  Storage: "getStorageKeyForFrame getStorageKey",
  Target: `
    attachToTarget attachToBrowserTarget getBrowserContexts detachFromTarget getTargetInfo
    getTargets setAutoAttach autoAttachRelated setDiscoverTargets`,
  Tracing: "getCategories getTrackEventDescriptor",
  WebAudio: "enable disable getRealtimeData",
  WebAuthn: "disable",
  WebMCP: "enable disable",
};
