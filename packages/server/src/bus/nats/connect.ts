import { readFileSync } from "node:fs";
import { BridgeError } from "@debug-bridge/protocol";
import type { Authenticator, NatsConnection, NodeConnectionOptions } from "@nats-io/transport-node";
import { checkedName } from "./subjects.js";

/** How to reach a NATS server. Secrets are better in files or in the environment than on a command line. */
export interface NatsOptions {
  /**
   * `nats://HOST:4222`, or several separated by commas; `tls://` for TLS. `nats://USER:PASSWORD@…` and `nats://TOKEN@…` sign in.
   * The path is the namespace: hubs with different namespaces do not see each other.
   */
  readonly url: string;
  /** A `.creds` file with a user's JWT and seed. */
  readonly credsFile?: string | undefined;
  /** A file with the seed of an nkey. */
  readonly nkeyFile?: string | undefined;
  /** The certificate authority of the server, as a PEM file. */
  readonly caFile?: string | undefined;
  /** The certificate and the key of this hub, as PEM files. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

export interface ConnectedNats {
  readonly connection: NatsConnection;
  readonly namespace: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
const DEFAULT_NAMESPACE = "debug-bridge";

/** Connects to NATS. Loads its client only here: a hub without `--bus` never does. */
export async function connectNats(options: NatsOptions): Promise<ConnectedNats> {
  const urls = options.url.split(",").map((each) => readUrl(each.trim()));
  const [first] = urls as [URL, ...URL[]];
  const namespace = first.pathname.replace(/^\/+|\/+$/g, "") || DEFAULT_NAMESPACE;
  checkedName("the namespace of --bus (the path of its URL)", namespace);
  const nats = await import("@nats-io/transport-node");
  const authenticators: Authenticator[] = [];
  if (options.credsFile !== undefined)
    authenticators.push(nats.credsAuthenticator(readSecret(options.credsFile, "--bus-creds")));
  if (options.nkeyFile !== undefined) {
    const seed = readSecret(options.nkeyFile, "--bus-nkey").toString().trim();
    authenticators.push(nats.nkeyAuthenticator(new TextEncoder().encode(seed)));
  }
  const usesTls = first.protocol === "tls:" || options.caFile !== undefined || options.certFile !== undefined;
  const settings: NodeConnectionOptions = {
    servers: urls.map(({ host }) => host),
    ...credentialsOf(first),
    ...(authenticators.length > 0 ? { authenticator: authenticators } : {}),
    ...(usesTls ? { tls: tlsOf(options) } : {}),
    name: "debug-bridge",
    timeout: CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    pingInterval: 5_000,
    maxPingOut: 2,
    noEcho: true,
    // Each request would create two errors with a stack, in case that it fails: a sixth of the time of a hub that stores what it gets.
    noAsyncTraces: true,
  };
  try {
    return { connection: await nats.connect(settings), namespace };
  } catch (thrown) {
    throw new BridgeError(
      "app_not_connected",
      `cannot connect to the bus at ${urls.map(({ host }) => host).join(", ")}: ${(thrown as Error).message}; check --bus, its credentials, and that nats-server runs there with -js`,
    );
  }
}

function readUrl(text: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {}
  if (url && (url.protocol === "nats:" || url.protocol === "tls:") && url.host !== "") return url;
  // The text may hold a password, so it is not repeated.
  throw new BridgeError("invalid_message", "--bus must be an address such as nats://127.0.0.1:4222");
}

function credentialsOf({ username, password }: URL): NodeConnectionOptions {
  if (username === "") return {};
  const user = decodeURIComponent(username);
  return password === "" ? { token: user } : { user, pass: decodeURIComponent(password) };
}

function tlsOf({ caFile, certFile, keyFile }: NatsOptions): NonNullable<NodeConnectionOptions["tls"]> {
  return {
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined ? {} : { certFile }),
    ...(keyFile === undefined ? {} : { keyFile }),
  };
}

function readSecret(file: string, option: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (thrown) {
    throw new BridgeError("invalid_message", `${option}: ${(thrown as Error).message}`);
  }
}
