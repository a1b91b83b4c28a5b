/** Methods that reach beyond the page: data of other sites, permissions, downloads, local files, new tabs. */
export const PROFILE_METHODS: Readonly<Record<string, string>> = {
  Autofill: "trigger setAddresses",
  BackgroundService: "setRecording clearEvents",
  Browser: "setPermission grantPermissions resetPermissions setDownloadBehavior",
  CacheStorage: "deleteCache deleteEntry requestCacheNames requestCachedResponse requestEntries",
  DOM: "setFileInputFiles getFileInfo",
  FileSystem: "getDirectory",
  IndexedDB: `
    clearObjectStore deleteDatabase deleteObjectStoreEntries requestData getMetadata requestDatabase
    requestDatabaseNames`,
  Network: `
    clearBrowserCache clearBrowserCookies deleteCookies getAllCookies getCookies setCookie setCookies
    loadNetworkResource setCookieControls`,
  Page: "deleteCookie setDownloadBehavior",
  Storage: `
    clearDataForOrigin clearDataForStorageKey getCookies setCookies clearCookies getUsageAndQuota
    overrideQuotaForOrigin trackCacheStorageForOrigin trackCacheStorageForStorageKey
    trackIndexedDBForOrigin trackIndexedDBForStorageKey untrackCacheStorageForOrigin
    untrackCacheStorageForStorageKey untrackIndexedDBForOrigin untrackIndexedDBForStorageKey
    getTrustTokens clearTrustTokens getInterestGroupDetails setInterestGroupTracking
    setInterestGroupAuctionTracking getSharedStorageMetadata getSharedStorageEntries
    setSharedStorageEntry deleteSharedStorageEntry clearSharedStorageEntries
    resetSharedStorageBudget setSharedStorageTracking setStorageBucketTracking deleteStorageBucket
    runBounceTrackingMitigations getRelatedWebsiteSets getAffectedUrlsForThirdPartyCookieMetadata
    setProtectedAudienceKAnonymity`,
  Target: "createTarget",
  Tracing: "end recordClockSyncMarker requestMemoryDump start",
};
