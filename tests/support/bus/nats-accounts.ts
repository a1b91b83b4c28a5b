import { createAccount, createOperator, createUser, type KeyPair } from "@nats-io/nkeys";

const encode = (data: Uint8Array | string): string => Buffer.from(data).toString("base64url");

/** A JWT as NATS makes them: signed with an nkey. */
function signed(issuer: KeyPair, subject: KeyPair, name: string, nats: object): string {
  const claims = {
    ...{ jti: name, iat: Math.floor(Date.now() / 1_000), name },
    ...{ iss: issuer.getPublicKey(), sub: subject.getPublicKey(), nats: { ...nats, version: 2 } },
  };
  const text = [{ typ: "JWT", alg: "ed25519-nkey" }, claims]
    .map((part) => encode(JSON.stringify(part)))
    .join(".");
  return `${text}.${encode(issuer.sign(new TextEncoder().encode(text)))}`;
}

const ANY = { subs: -1, data: -1, payload: -1 };
const ACCOUNT_LIMITS = {
  ...{ ...ANY, conn: -1, leaf: -1, imports: -1, exports: -1, wildcards: true },
  ...{ mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 },
};

/** The configuration of a server that knows an account by its operator, and the `.creds` text of users of accounts. */
export function natsAccounts(): { config: string; creds: string; strangerCreds: string } {
  const [operator, account, system] = [createOperator(), createAccount(), createAccount()];
  const { disk_storage, mem_storage, streams, consumer, ...systemLimits } = ACCOUNT_LIMITS;
  const jwts = {
    [account.getPublicKey()]: signed(operator, account, "hubs", { type: "account", limits: ACCOUNT_LIMITS }),
    [system.getPublicKey()]: signed(operator, system, "system", { type: "account", limits: systemLimits }),
  };
  const preload = Object.entries(jwts).map(([key, jwt]) => `${key}: ${jwt}`);
  const root = signed(operator, operator, "operator", {
    type: "operator",
    system_account: system.getPublicKey(),
  });
  return {
    config: `operator: ${root}\nsystem_account: ${system.getPublicKey()}\nresolver: MEMORY\nresolver_preload: {\n${preload.join("\n")}\n}\n`,
    creds: credsOf(account),
    // Credentials of an account that no operator has signed.
    strangerCreds: credsOf(createAccount()),
  };
}

function credsOf(account: KeyPair): string {
  const user = createUser();
  const jwt = signed(account, user, "hub", { type: "user", ...ANY });
  const block = (title: string, text: string): string =>
    `-----BEGIN ${title}-----\n${text}\n------END ${title}------\n`;
  return `${block("NATS USER JWT", jwt)}\n${block("USER NKEY SEED", Buffer.from(user.getSeed()).toString())}`;
}
