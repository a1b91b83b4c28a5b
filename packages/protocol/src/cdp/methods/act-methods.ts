/** Methods that change the page or the tab. */
export const ACT_METHODS: Readonly<Record<string, string>> = {
  Animation: "releaseAnimations seekAnimations setPaused setPlaybackRate setTiming",
  Browser: "cancelDownload setWindowBounds setContentsSize",
  CSS: `
    addRule createStyleSheet forcePseudoState forceStartingStyle setEffectivePropertyValueForNode
    setPropertyRulePropertyName setKeyframeKey setMediaText setContainerQueryText setSupportsText
    setNavigationText setScopeText setRuleSelector setStyleSheetText setStyleTexts
    setLocalFontsEnabled`,
  DOM: `
    copyTo scrollIntoViewIfNeeded focus highlightNode highlightRect markUndoableState moveTo redo
    removeAttribute removeNode setAttributeValue setAttributesAsText setNodeName setNodeValue
    setOuterHTML undo forceShowPopover`,
  DOMDebugger: `
    removeDOMBreakpoint removeEventListenerBreakpoint removeInstrumentationBreakpoint
    removeXHRBreakpoint setBreakOnCSPViolation setDOMBreakpoint setEventListenerBreakpoint
    setInstrumentationBreakpoint setXHRBreakpoint`,
  DOMStorage: "clear removeDOMStorageItem setDOMStorageItem",
  Debugger: `
    continueToLocation enable evaluateOnCallFrame pause pauseOnAsyncCall removeBreakpoint
    restartFrame resume setBreakpoint setInstrumentationBreakpoint setBreakpointByUrl
    setBreakpointOnFunctionCall setBreakpointsActive setPauseOnExceptions setReturnValue
    setScriptSource setSkipAllPauses setVariableValue stepInto stepOut stepOver`,
  DeviceOrientation: "clearDeviceOrientationOverride setDeviceOrientationOverride",
  Emulation: `
    clearDeviceMetricsOverride clearGeolocationOverride resetPageScaleFactor
    setFocusEmulationEnabled setAutoDarkModeOverride setCPUThrottlingRate
    setDefaultBackgroundColorOverride setSafeAreaInsetsOverride setDeviceMetricsOverride
    setDevicePostureOverride clearDevicePostureOverride setDisplayFeaturesOverride
    clearDisplayFeaturesOverride setScrollbarsHidden setDocumentCookieDisabled
    setEmitTouchEventsForMouse setEmulatedMedia setEmulatedVisionDeficiency setEmulatedOSTextScale
    setGeolocationOverride setSensorOverrideEnabled setSensorOverrideReadings
    setPressureSourceOverrideEnabled setPressureStateOverride setPressureDataOverride
    setIdleOverride clearIdleOverride setNavigatorOverrides setPageScaleFactor
    setScriptExecutionDisabled setTouchEmulationEnabled setVirtualTimePolicy setLocaleOverride
    setTimezoneOverride setVisibleSize setDisabledImageTypes setDataSaverOverride
    setHardwareConcurrencyOverride setUserAgentOverride setAutomationOverride
    setSmallViewportHeightDifferenceOverride addScreen updateScreen removeScreen setPrimaryScreen`,
  EventBreakpoints: "setInstrumentationBreakpoint removeInstrumentationBreakpoint",
  FedCm: "enable selectAccount clickDialogButton openUrl dismissDialog resetCooldown",
  Fetch: `
    enable failRequest fulfillRequest continueRequest continueWithAuth continueResponse
    getResponseBody takeResponseBodyAsStream`,
  Input: `
    dispatchDragEvent dispatchKeyEvent insertText imeSetComposition dispatchMouseEvent
    dispatchTouchEvent cancelDragging emulateTouchFromMouseEvent setIgnoreInputEvents
    setInterceptDrags synthesizePinchGesture synthesizeScrollGesture synthesizeTapGesture`,
  Memory: `
    prepareForLeakDetection forciblyPurgeJavaScriptMemory setPressureNotificationsSuppressed
    simulatePressureNotification`,
  Network: `
    setAcceptedEncodings clearAcceptedEncodingsOverride continueInterceptedRequest
    emulateNetworkConditions emulateNetworkConditionsByRule overrideNetworkState
    takeResponseBodyForInterceptionAsStream replayXHR setBlockedURLs setBypassServiceWorker
    setCacheDisabled setExtraHTTPHeaders setRequestInterception setUserAgentOverride`,
  Overlay: `
    highlightFrame highlightNode highlightQuad highlightRect highlightSourceOrder setInspectMode
    setShowAdHighlights setPausedInDebuggerMessage setShowDebugBorders setShowFPSCounter
    setShowGridOverlays setShowFlexOverlays setShowScrollSnapOverlays setShowContainerQueryOverlays
    setShowInspectedElementAnchor setShowPaintRects setShowLayoutShiftRegions
    setShowScrollBottleneckRects setShowHitTestBorders setShowWebVitals setShowViewportSizeOnResize
    setShowHinge setShowIsolatedElements setShowWindowControlsOverlay`,
  Page: `
    addScriptToEvaluateOnLoad addScriptToEvaluateOnNewDocument bringToFront
    clearDeviceMetricsOverride clearDeviceOrientationOverride clearGeolocationOverride
    resetNavigationHistory handleJavaScriptDialog navigate navigateToHistoryEntry reload
    setAdBlockingEnabled setBypassCSP setDeviceMetricsOverride setDeviceOrientationOverride
    setFontFamilies setFontSizes setDocumentContent setGeolocationOverride setTouchEmulationEnabled
    stopLoading crash close setWebLifecycleState produceCompilationCache addCompilationCache
    clearCompilationCache setSPCTransactionMode setRPHRegistrationMode generateTestReport
    waitForDebugger setInterceptFileChooserDialog setPrerenderingAllowed`,
  Runtime: `
    awaitPromise callFunctionOn compileScript evaluate runScript setCustomObjectFormatterEnabled
    terminateExecution addBinding`,
  Security: "setIgnoreCertificateErrors handleCertificateError setOverrideCertificateErrors",
  ServiceWorker: `
    deliverPushMessage dispatchSyncEvent dispatchPeriodicSyncEvent setForceUpdateOnPageLoad
    skipWaiting startWorker stopAllWorkers stopWorker unregister updateRegistration`,
  Target: "activateTarget closeTarget",
  WebAuthn: `
    enable addVirtualAuthenticator setResponseOverrideBits removeVirtualAuthenticator addCredential
    getCredential getCredentials removeCredential clearCredentials setUserVerified
    setAutomaticPresenceSimulation setCredentialProperties`,
};
