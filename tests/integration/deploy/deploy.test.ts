import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HubClient } from "@debug-bridge/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI, ROOT, start, startUp, temporaryFolder, until } from "../../fixtures.js";
import { newToken } from "../../support/hub/hub-processes.js";
import { ResumingApp } from "../../support/hub/resuming-app.js";
import { composeProcesses, kubernetesProcesses, manifests, type Process, unitSettings } from "./files.js";
import { type Running, startAll, statusOf } from "./run.js";

/** Every hub leads to an app on any other, and is reached by its name. */
async function checkHubs(
  running: readonly Running[],
  processes: readonly Process[],
  token: string,
): Promise<void> {
  const hubs = running.filter(({ name }) => name.startsWith("hub"));
  expect(hubs.length).toBeGreaterThan(1);
  const app = new ResumingApp([`${hubs[0]?.at(4000)}`], "shop", "page-1");
  onTestFinished(() => app.end());
  await until(() => app.connections === 1);
  for (const hub of hubs) {
    const [host] = processes.find(({ name }) => name === hub.name)?.hosts ?? [];
    expect(await statusOf(`${hub.at(4000)}/healthz`, `${host}:4000`)).toBe(200);
    expect(await statusOf(`${hub.at(4000)}/healthz`, "elsewhere:4000")).toBe(403);
    const client = new HubClient({ hub: hub.at(4000), token, name: "tester" });
    onTestFinished(() => client.close());
    const { success } = await until(() =>
      client.command("shop", { type: "click", target: { text: "Save" } }).catch(() => undefined),
    );
    expect(success).toBe(true);
  }
  expect(app.commands.length).toBeGreaterThanOrEqual(hubs.length);
}

describe("the files in deploy/", () => {
  it("start NATS servers and hubs that share their sessions, as compose.yaml says", async () => {
    const token = newToken();
    const processes = composeProcesses();
    await checkHubs(await startAll(processes, token), processes, token);
  });

  it("start them as kubernetes.yaml says", async () => {
    const token = newToken();
    const processes = kubernetesProcesses();
    await checkHubs(await startAll(processes, token), processes, token);
  });

  it("name in kubernetes.yaml only labels, services, ports and volumes that exist there", () => {
    const all = manifests();
    const sets = all.flatMap((each) => (each.kind === "StatefulSet" ? [each] : []));
    const services = all.flatMap((each) => (each.kind === "Service" ? [each] : []));
    for (const { spec } of sets) {
      expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
      expect(services.map(({ metadata }) => metadata.name)).toContain(spec.serviceName);
      const [container] = spec.template.spec.containers;
      const volumes = [
        ...(spec.template.spec.volumes ?? []).map(({ name }) => name),
        ...(spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name),
      ];
      for (const { name } of container.volumeMounts) expect(volumes).toContain(name);
      const ports = container.ports.map(({ containerPort }) => containerPort);
      expect(ports).toContain(container.readinessProbe.httpGet.port);
      for (const service of services)
        if (service.spec.selector.app === spec.selector.matchLabels.app)
          for (const { port } of service.spec.ports) expect(ports).toContain(port);
    }
    const apps = sets.map(({ spec }) => spec.selector.matchLabels.app);
    for (const { spec } of services) expect(apps).toContain(spec.selector.app);
  });

  it("start a hub as the unit for systemd says", async () => {
    const service = unitSettings("Service");
    const [, command = ""] = service.find(([key]) => key === "ExecStart") ?? [];
    const [program, ...args] = command.split(" ");
    expect(program).toBe("/usr/local/bin/debug-bridge");
    const [, home = ""] =
      /DEBUG_BRIDGE_HOME=(.*)/.exec(service.map((pair) => pair.join("=")).join("\n")) ?? [];
    const [, state] = service.find(([key]) => key === "StateDirectory") ?? [];
    expect(home).toBe(`/var/lib/${state}`);
    const ports = ["--port", "0", "--console-port", "0", "--relay-port", "0", "--json"];
    const hub = start(process.execPath, [CLI, ...args, ...ports], { DEBUG_BRIDGE_HOME: temporaryFolder() });
    await until(() => hub.output.stdout.includes('"ready"'));
    hub.child.kill("SIGTERM");
    expect((await hub.finished).code).toBe(0);
  });

  it.runIf(existsSync("/usr/bin/systemd-analyze"))("have a unit that systemd accepts", () => {
    const unit = join(temporaryFolder(), "debug-bridge.service");
    const text = readFileSync(join(ROOT, "deploy/debug-bridge.service"), "utf8");
    // Its program is not installed here, and its user does not exist.
    writeFileSync(unit, text.replace("/usr/local/bin/debug-bridge", CLI).replace("User=debug-bridge\n", ""));
    execFileSync("systemd-analyze", ["verify", "--man=no", unit], { stdio: "pipe" });
  });

  it("mount a token read-only, with which a hub starts", async ({ skip }) => {
    const [home, token] = [temporaryFolder(), newToken()];
    const [file, secret] = [join(home, "token"), join(temporaryFolder(), "token")];
    writeFileSync(file, "");
    writeFileSync(secret, token, { mode: 0o444 });
    const mount = (...args: string[]): void => void execFileSync("mount", args, { stdio: "ignore" });
    try {
      mount("--bind", secret, file);
    } catch {
      return skip("only root can mount a file");
    }
    onTestFinished(() => void execFileSync("umount", ["--lazy", file]));
    mount("-o", "remount,ro,bind", file);
    const { ready } = await startUp([], home);
    const client = new HubClient({ hub: ready.hub, token, name: "tester" });
    onTestFinished(() => client.close());
    expect(await client.sessions()).toEqual([]);
  });

  it("build an image that has what the others call", () => {
    const image = readFileSync(join(ROOT, "deploy/Dockerfile"), "utf8");
    const home = /DEBUG_BRIDGE_HOME=(\S+)/.exec(image)?.[1];
    for (const file of ["compose.yaml", "kubernetes.yaml"])
      expect(readFileSync(join(ROOT, "deploy", file), "utf8")).toContain(`${home}/token`);
    expect(image).toContain('ENTRYPOINT ["tini", "--", "debug-bridge"]');
  });
});
