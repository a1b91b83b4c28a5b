import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { cdpMethodClasses, classifyCdpMethod } from "./classify.js";

interface ProtocolFile {
  readonly domains: readonly { domain: string; commands?: readonly { name: string }[] }[];
}

function methodsOf(file: string): string[] {
  const path = createRequire(import.meta.url).resolve(`devtools-protocol/json/${file}.json`);
  const { domains } = JSON.parse(readFileSync(path, "utf8")) as ProtocolFile;
  return domains.flatMap(({ domain, commands = [] }) => commands.map(({ name }) => `${domain}.${name}`));
}

describe("classes of CDP methods", () => {
  test("every method of the protocol has exactly one class", () => {
    const methods = [...methodsOf("browser_protocol"), ...methodsOf("js_protocol")];
    expect(methods.length).toBeGreaterThan(600);
    expect(methods.filter((method) => !cdpMethodClasses().has(method))).toEqual([]);
    expect([...cdpMethodClasses().keys()].sort()).toEqual([...methods].sort());
  });

  test("an unknown method counts as act", () => {
    expect(classifyCdpMethod("Future.thing")).toBe("act");
    expect(classifyCdpMethod("Page.__proto__")).toBe("act");
    expect(classifyCdpMethod("constructor")).toBe("act");
  });

  test.each([
    "Target.closeTarget",
    "Target.activateTarget",
    "Page.bringToFront",
    "Fetch.enable",
    "WebAuthn.enable",
    "Debugger.enable",
    "Page.setBypassCSP",
    "Page.addScriptToEvaluateOnNewDocument",
    "Network.setExtraHTTPHeaders",
    "Emulation.setDeviceMetricsOverride",
    "Runtime.evaluate",
    "Runtime.callFunctionOn",
    "Input.dispatchMouseEvent",
  ])("%s acts", (method) => expect(classifyCdpMethod(method)).toBe("act"));

  test.each([
    "Browser.resetPermissions",
    "Browser.setDownloadBehavior",
    "Network.getAllCookies",
    "Network.getCookies",
    "Storage.getCookies",
    "DOM.setFileInputFiles",
    "Network.loadNetworkResource",
    "Target.createTarget",
  ])("%s reaches the whole profile", (method) => expect(classifyCdpMethod(method)).toBe("profile"));

  test.each([
    "Browser.close",
    "SystemInfo.getInfo",
    "Extensions.loadUnpacked",
    "Target.createBrowserContext",
  ])("%s is refused for everyone", (method) => expect(classifyCdpMethod(method)).toBe("never"));
});
