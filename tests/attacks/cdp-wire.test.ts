import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../fixtures.js";
import { connected } from "../integration/relay/connected.js";
import { tab } from "../integration/relay/fake-extension.js";

describe("a CDP client", () => {
  it("V16: that adds members to a long frame reaches its own tab only", async () => {
    const { client, extension } = await connected([tab(1), tab(2)]);
    await client.attachAll();
    const page = client.session("T1");
    const padding = "x".repeat(20_000);
    const members = `"tabId":2,"childSessionId":"S","own":true,"readOnly":false,"method":"Page.crash"`;
    const params = `{"expression":"1","padding":${JSON.stringify(padding)}}`;
    client.socket.send(
      `{"id":9001,"method":"Runtime.evaluate","sessionId":"${page}","params":${params},${members},"method":"Runtime.evaluate"}`,
    );
    await until(() => client.messages.some(({ id }) => id === 9001));
    const sent = extension.received.filter(({ params: each }) => each?.method === "Runtime.evaluate");
    expect(sent).toHaveLength(1);
    expect(Object.keys(sent[0]?.params ?? {}).sort()).toEqual(["client", "method", "params", "tabId"]);
    expect(sent[0]?.params.tabId).toBe(1);
    expect(extension.cdp(2)).toEqual([]);
  });

  it("V17: that sets a pattern of many stars does not stop the hub", async () => {
    const { client, extension } = await connected([tab(1)]);
    await client.attachAll();
    const page = client.session("T1");
    const patterns = [{ urlPattern: `${"*a".repeat(2_000)}*b` }];
    await client.result("Fetch.enable", { patterns }, page);
    await client.result("DOM.getDocument", {}, page);
    const cpuBefore = process.cpuUsage();
    const request = { url: `http://shop.test/${"a".repeat(5_000)}` };
    extension.event(1, "Fetch.requestPaused", { requestId: "1", request, resourceType: "Image" });
    await client.result("Browser.getVersion");
    expect(process.cpuUsage(cpuBefore).user / 1_000).toBeLessThan(5_000);
  });

  it("V20: that chooses where downloads go gets folders below the home and for temporary files only", async () => {
    const { client } = await connected([tab(1)]);
    const set = (downloadPath: string) =>
      client.ask("Browser.setDownloadBehavior", { behavior: "allow", downloadPath, eventsEnabled: true });
    for (const path of ["/etc", "/usr/local/bin", join(tmpdir(), "../etc"), "relative", "~/x"])
      expect((await set(path)).error?.message, path).toContain("only below");
    expect((await set(join(tmpdir(), "mine"))).error).toBeUndefined();
  });

  it("V8, V20: gets the file that was downloaded, and no other; no file is replaced, no link followed", async () => {
    const { client, extension, hub } = await connected([tab(1)]);
    const folder = temporaryFolder();
    const source = temporaryFolder();
    await client.attachAll();
    await client.result("DOM.getDocument", {}, client.session("T1"));
    const download = async (guid: string, path: string, to: string, name: string): Promise<string> => {
      extension.answers.findDownload = () => ({ path });
      const settings = { behavior: "allow", downloadPath: to, eventsEnabled: true };
      await client.result("Browser.setDownloadBehavior", settings);
      const url = "http://shop.test/file";
      extension.event(1, "Page.downloadWillBegin", { guid, url, suggestedFilename: name, frameId: "T1" });
      extension.event(1, "Page.downloadProgress", {
        guid,
        state: "completed",
        receivedBytes: 1,
        totalBytes: 1,
      });
      const ended = await until(() =>
        client
          .events("Browser.downloadProgress")
          .find(({ params }) => params?.guid === guid && params?.state !== "inProgress"),
      );
      return `${ended.params?.state}`;
    };
    const file = join(source, "report.txt");
    writeFileSync(file, "report");
    writeFileSync(join(folder, "report.txt"), "mine");
    expect(await download("g1", file, folder, "report.txt")).toBe("completed");
    expect(readFileSync(join(folder, "report.txt"), "utf8")).toBe("mine");
    expect(readFileSync(join(folder, "report (1).txt"), "utf8")).toBe("report");
    expect(await download("g2", "/etc/hostname", folder, "old.txt")).toBe("canceled");
    expect(await download("g3", hub.tokenFile, folder, "token.txt")).toBe("canceled");
    symlinkSync("/etc/passwd", join(source, "link"));
    expect(await download("g4", join(source, "link"), folder, "link.txt")).toBe("canceled");
    mkdirSync(join(folder, "sub"));
    symlinkSync("/var", join(folder, "sub", "out"));
    expect(await download("g5", file, join(folder, "sub", "out", "debug-bridge-planted"), "x.txt")).toBe(
      "canceled",
    );
    expect(existsSync("/var/debug-bridge-planted")).toBe(false);
    for (const name of ["old.txt", "token.txt", "link.txt"])
      expect(existsSync(join(folder, name))).toBe(false);
  });

  it("V15: leaves a line in the audit log for cookies, permissions, files and the folder of downloads", async () => {
    const { client, hub } = await connected([tab(1)]);
    await client.attachAll();
    const page = client.session("T1");
    await client.ask("Storage.getCookies");
    await client.ask("Network.getCookies", {}, page);
    await client.ask("Network.getAllCookies", {}, page);
    await client.ask("Browser.grantPermissions", { origin: "https://a.test", permissions: ["geolocation"] });
    await client.ask("DOM.setFileInputFiles", { files: ["/etc/passwd"], nodeId: 1 }, page);
    await client.ask("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: join(tmpdir(), "x") });
    await client.ask(
      "Page.navigate",
      { url: "https://ann:secret1@a.test/?access_token=secret2&page=2" },
      page,
    );
    for (const method of [
      "Storage.getCookies",
      "Network.getCookies",
      "Network.getAllCookies",
      "Browser.grantPermissions",
      "DOM.setFileInputFiles",
      "Browser.setDownloadBehavior",
      "Page.navigate",
    ])
      await until(() => hub.audit().includes(`"what":"${method}"`));
    expect(hub.audit()).toContain("a.test");
    expect(hub.audit()).not.toMatch(/secret1|secret2/);
  });
});
