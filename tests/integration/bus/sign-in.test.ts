import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectBus, type NatsBusOptions } from "@debug-bridge/server";
import { createUser } from "@nats-io/nkeys";
import { expect, onTestFinished, test } from "vitest";
import { runCli, temporaryFolder } from "../../fixtures.js";
import { startNats } from "../../support/bus/nats.js";
import { natsAccounts } from "../../support/bus/nats-accounts.js";
import { startHub } from "../../support/hub/hub-processes.js";
import { selfSigned } from "../../support/hub/self-signed.js";

async function server(config: string): Promise<{ port: string; folder: string }> {
  const folder = temporaryFolder();
  const file = join(folder, "nats.conf");
  writeFileSync(file, config);
  const nats = await startNats(["-c", file]);
  onTestFinished(() => nats.stop());
  return { port: new URL(nats.url).port, folder };
}

async function connects(options: NatsBusOptions): Promise<void> {
  const bus = await connectBus(options);
  expect(await bus.sessions.compareAndSet("s", "x", 0)).toBeGreaterThan(0);
  await bus.close();
}

test("a hub signs in with a user and a password, and an error does not show the password [ARC-114]", async () => {
  const { port } = await server('authorization { user: hub, password: "right one" }');
  await connects({ url: `nats://hub:right%20one@127.0.0.1:${port}` });
  const refused = connectBus({ url: `nats://hub:wrong@127.0.0.1:${port}` });
  await expect(refused).rejects.toThrow(/cannot connect to the bus.*check --bus/);
  await expect(refused).rejects.not.toThrow(/wrong@/);
});

test("a hub signs in with a token [ARC-114]", async () => {
  const { port } = await server("authorization { token: s3cret }");
  await connects({ url: `nats://s3cret@127.0.0.1:${port}` });
  await expect(connectBus({ url: `nats://127.0.0.1:${port}` })).rejects.toThrow(/cannot connect to the bus/);
});

test("a hub signs in with an nkey from a file [ARC-114]", async () => {
  const user = createUser();
  const { port, folder } = await server(`authorization { users: [ { nkey: ${user.getPublicKey()} } ] }`);
  const nkeyFile = join(folder, "seed");
  writeFileSync(nkeyFile, Buffer.from(user.getSeed()));
  await connects({ url: `nats://127.0.0.1:${port}`, nkeyFile });
});

test("a hub signs in with the JWT of a user of an account, from a file [ARC-114]", async () => {
  const { config, creds, strangerCreds } = natsAccounts();
  const { port, folder } = await server(config);
  const [credsFile, strangerFile] = [join(folder, "hub.creds"), join(folder, "stranger.creds")];
  writeFileSync(credsFile, creds);
  writeFileSync(strangerFile, strangerCreds);
  const url = `nats://127.0.0.1:${port}`;
  await connects({ url, credsFile });
  await expect(connectBus({ url, credsFile: strangerFile })).rejects.toThrow(/cannot connect to the bus/);
  await expect(connectBus({ url })).rejects.toThrow(/cannot connect to the bus/);
});

/** A server with TLS, and the files for its clients. */
async function tlsServer(more = "") {
  const folder = temporaryFolder();
  const { key, cert } = selfSigned();
  const [keyFile, caFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  writeFileSync(keyFile, key);
  writeFileSync(caFile, cert);
  const { port } = await server(`tls { cert_file: "${caFile}", key_file: "${keyFile}"${more} }`);
  return { url: `tls://localhost:${port}`, caFile };
}

test("a hub shows its own certificate to a server that asks for one [ARC-114]", async () => {
  const [folder, mine, other] = [temporaryFolder(), selfSigned(), selfSigned()];
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [certFile, keyFile] = [file("hub.pem", mine.cert), file("hub-key.pem", mine.key)];
  const wrong = { certFile: file("other.pem", other.cert), keyFile: file("other-key.pem", other.key) };
  const { url, caFile } = await tlsServer(`, ca_file: "${certFile}", verify: true`);
  await connects({ url, caFile, certFile, keyFile });
  await expect(connectBus({ url, caFile })).rejects.toThrow(/cannot connect to the bus/);
  await expect(connectBus({ url, caFile, ...wrong })).rejects.toThrow(/cannot connect to the bus/);
});

test("`up --bus tls://… --bus-ca FILE` starts a hub on a bus with TLS", async () => {
  const { url, caFile } = await tlsServer();
  const hub = await startHub(`${url}/team`, "secure", { args: ["--bus-ca", caFile] });
  onTestFinished(() => hub.kill());
  expect(hub.ready.name).toMatch(/^secure-/);
});

test("a hub connects with TLS to a server whose certificate authority it was given, and to no other", async () => {
  const { url, caFile } = await tlsServer();
  await connects({ url, caFile });
  await expect(connectBus({ url })).rejects.toThrow(/cannot connect to the bus/);
});

test("`up --bus` says what is wrong with an address, a name, or a server that does not run", async () => {
  const up = (...args: string[]) =>
    runCli(["up", "--port", "0", "--console-port", "0", "--relay-port", "0", ...args], {
      DEBUG_BRIDGE_HOME: temporaryFolder(),
    });
  const [wrong, name, nobody] = await Promise.all([
    up("--bus", "http://127.0.0.1"),
    up("--bus", "nats://127.0.0.1:1", "--bus-name", "a b"),
    up("--bus", "nats://127.0.0.1:1"),
  ]);
  expect(wrong.stderr).toContain("--bus must be an address such as nats://127.0.0.1:4222");
  expect(name.stderr).toContain('--bus-name is "a b"');
  expect(nobody.stderr).toContain("cannot connect to the bus at 127.0.0.1:1");
  expect([wrong.code, name.code, nobody.code].every((code) => code === 1 || code === 2)).toBe(true);
});
