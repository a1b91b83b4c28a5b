/** Methods that no client may use: they end or inspect the whole browser, or reach the machine. */
export const NEVER_METHODS: Readonly<Record<string, string>> = {
  BluetoothEmulation: `
    enable setSimulatedCentralState disable simulatePreconnectedPeripheral simulateAdvertisement
    simulateGATTOperationResponse simulateCharacteristicOperationResponse
    simulateDescriptorOperationResponse addService removeService addCharacteristic
    removeCharacteristic addDescriptor removeDescriptor simulateGATTDisconnection`,
  Browser: `
    close crash crashGpuProcess getBrowserCommandLine getHistograms getHistogram setDockTile
    executeBrowserCommand addPrivacySandboxEnrollmentOverride addPrivacySandboxCoordinatorKeyConfig`,
  Cast: "enable disable setSinkToUse startDesktopMirroring startTabMirroring stopCasting",
  DeviceAccess: "enable disable selectPrompt cancelPrompt",
  Extensions: `
    triggerAction loadUnpacked getExtensions uninstall getStorageItems removeStorageItems
    clearStorageItems setStorageItems`,
  HeadlessExperimental: "beginFrame disable enable",
  Memory: "getAllTimeSamplingProfile getBrowserSamplingProfile",
  PWA: `
    getOsAppState install uninstall launch launchFilesInApp openCurrentPageInApp
    changeAppUserSettings`,
  SmartCardEmulation: `
    enable disable reportEstablishContextResult reportReleaseContextResult reportListReadersResult
    reportGetStatusChangeResult reportBeginTransactionResult reportPlainResult reportConnectResult
    reportDataResult reportStatusResult reportError`,
  SystemInfo: "getInfo getFeatureState getProcessInfo",
  Target: `
    exposeDevToolsProtocol createBrowserContext disposeBrowserContext sendMessageToTarget
    setRemoteLocations getDevToolsTarget openDevTools`,
  Tethering: "bind unbind",
};
