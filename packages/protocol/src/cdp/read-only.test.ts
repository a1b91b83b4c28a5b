import { describe, expect, test } from "vitest";
import { cdpMethodClasses } from "./classify.js";
import { readOnlyForm } from "./read-only.js";

const ADD_SCRIPT = "Page.addScriptToEvaluateOnNewDocument";

describe("commands of a client that may only look", () => {
  test("commands that look pass as they are", () => {
    for (const [method, found] of cdpMethodClasses())
      if (found === "look" && !/utoAttach/.test(method))
        expect(readOnlyForm(method, { a: 1 })).toEqual({ kind: "send", params: { a: 1 } });
  });

  test("frames, workers and popups do not wait for the client", () => {
    const params = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
    expect(readOnlyForm("Target.setAutoAttach", params)).toEqual({
      kind: "send",
      params: { ...params, waitForDebuggerOnStart: false },
    });
  });

  test("code runs without side effects and not forever", () => {
    const asked = { expression: "1", userGesture: true, throwOnSideEffect: false, awaitPromise: true };
    expect(readOnlyForm("Runtime.evaluate", { ...asked, replMode: true }, "placed")).toEqual({
      kind: "send",
      params: {
        expression: "1",
        throwOnSideEffect: true,
        userGesture: false,
        awaitPromise: false,
        includeCommandLineAPI: false,
        replMode: false,
        timeout: 5_000,
      },
    });
    expect(readOnlyForm("Runtime.callFunctionOn", { functionDeclaration: "f" }, "placed")).toMatchObject({
      params: { throwOnSideEffect: true, awaitPromise: false },
    });
  });

  test("code is refused when nobody has put it into a separate world, except the hub's", () => {
    for (const method of ["Runtime.evaluate", "Runtime.callFunctionOn"]) {
      expect(readOnlyForm(method, { expression: "1" }).kind).toBe("refuse");
      expect(readOnlyForm(method, { expression: "1" }, "own")).toEqual({
        kind: "send",
        params: { expression: "1" },
      });
    }
    expect(readOnlyForm("Input.dispatchMouseEvent", {}, "own").kind).toBe("refuse");
  });

  test("a script for new documents passes only when it is empty or one comment, and without running at once", () => {
    const worldName = "utility";
    for (const source of ["", "//# sourceURL=pptr:internal", "  "])
      expect(readOnlyForm(ADD_SCRIPT, { source, worldName, runImmediately: true })).toEqual({
        kind: "send",
        params: { source: "", worldName },
      });
    for (const end of ["\n", "\r", "\u2028", "\u2029"])
      expect(readOnlyForm(ADD_SCRIPT, { source: `//${end}document.title='x'` }).kind).toBe("refuse");
    expect(readOnlyForm(ADD_SCRIPT, { source: 5 }).kind).toBe("refuse");
    expect(readOnlyForm(ADD_SCRIPT).kind).toBe("refuse");
  });

  test("downloads stay in the person's own folder", () => {
    const asked = { behavior: "allowAndName", downloadPath: "/etc", eventsEnabled: true };
    expect(readOnlyForm("Browser.setDownloadBehavior", asked)).toEqual({
      kind: "send",
      params: { behavior: "default", eventsEnabled: true },
    });
  });

  test("what clients set up while they connect is acknowledged in the form that changes nothing", () => {
    const light = { media: "", features: [{ name: "prefers-color-scheme", value: "light" }] };
    expect(readOnlyForm("Emulation.setEmulatedMedia", light).kind).toBe("acknowledge");
    const dark = { media: "", features: [{ name: "prefers-color-scheme", value: "dark" }] };
    expect(readOnlyForm("Emulation.setEmulatedMedia", dark).kind).toBe("refuse");
    expect(readOnlyForm("Page.setInterceptFileChooserDialog", { enabled: true }).kind).toBe("refuse");
    expect(readOnlyForm("Runtime.addBinding", { name: "b" }).kind).toBe("refuse");
    const world = { executionContextName: "w" };
    expect(readOnlyForm("Runtime.addBinding", { name: "b", ...world }).kind).toBe("refuse");
    const puppeteers = { name: "puppeteer___ariaQuerySelector", ...world };
    expect(readOnlyForm("Runtime.addBinding", puppeteers).kind).toBe("send");
  });

  test.each([
    "Network.setExtraHTTPHeaders",
    "Page.setBypassCSP",
    "Emulation.setDeviceMetricsOverride",
    "Target.closeTarget",
    "Page.bringToFront",
    "Browser.resetPermissions",
    "Fetch.enable",
    "WebAuthn.enable",
    "Network.getAllCookies",
    "Future.unknown",
  ])("%s is refused", (method) => expect(readOnlyForm(method, {}).kind).toBe("refuse"));
});
