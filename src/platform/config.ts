import path from "node:path";
import ipaddr from "ipaddr.js";
import { isEmailAddress } from "./email-address.rules.ts";
import {
  allOrNone,
  backupBucket,
  baseUrl,
  ConfigError,
  databaseAddresses,
  type Environment,
  filesBucket,
  flag,
  isLoopback,
  listOf,
  misspelledNames,
  oidc,
  oneOf,
  requireKeys,
  serviceUrl,
  smtpUrl,
  text,
  url,
  wholeNumber,
} from "./environment.ts";
import { readSeal, sealStateOf } from "./seal-files.ts";

export { type Bucket, ConfigError, isLoopback } from "./environment.ts";

/** The settings of this process. No other code reads the environment. */
export type Config = ReturnType<typeof readConfig>;

function port(env: Environment): number {
  const value = text(env, "PORT") ?? "3000";
  const number = Number(value);
  if (!/^\d+$/.test(value) || number > 65_535)
    throw new ConfigError(`PORT must be a number from 0 to 65535, not "${value}".`);
  return number;
}

function key(env: Environment, name: string): Buffer | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const bytes = Buffer.from(value, "base64");
  if (bytes.length === 32) return bytes;
  throw new ConfigError(`${name} must be 32 bytes in base64; "openssl rand -base64 32" makes one.`);
}

function backup(env: Environment) {
  const [folder, passphrase] = [text(env, "BACKUP_DIR"), text(env, "BACKUP_PASSPHRASE")];
  const keep = Number(text(env, "BACKUP_KEEP") ?? "7");
  if (!Number.isInteger(keep) || keep < 1) throw new ConfigError("BACKUP_KEEP must be a number, 1 or more.");
  if (passphrase && passphrase.length < 12) throw new ConfigError("BACKUP_PASSPHRASE needs at least 12 characters.");
  return { folder: folder && path.resolve(folder), bucket: backupBucket(env), keep, passphrase };
}

function stripe(env: Environment) {
  const secretKey = text(env, "STRIPE_SECRET_KEY");
  if (!secretKey) return undefined;
  if (!/^(sk|rk)_(test|live)_\w+$/.test(secretKey))
    throw new ConfigError("STRIPE_SECRET_KEY does not look like a Stripe key (sk_test_…, sk_live_…, rk_…).");
  for (const name of ["STRIPE_WEBHOOK_SECRET", "STRIPE_CONNECT_WEBHOOK_SECRET"])
    if (!/^(whsec_[\x21-\x7e]+)?$/.test(text(env, name) ?? ""))
      throw new ConfigError(`${name} must be the signing secret of a webhook (whsec_…).`);
  return {
    secretKey,
    webhookSecret: text(env, "STRIPE_WEBHOOK_SECRET"),
    connectWebhookSecret: text(env, "STRIPE_CONNECT_WEBHOOK_SECRET"),
    live: secretKey.includes("_live_"),
  };
}

function gotrue(env: Environment) {
  const base = baseUrl(env, "GOTRUE_URL");
  if (!base) return undefined;
  const apiKey = text(env, "GOTRUE_API_KEY");
  if (apiKey && opensAdministration(apiKey))
    throw new ConfigError("GOTRUE_API_KEY must be the public (anon or publishable) key, not a secret or service key.");
  return { url: base, issuer: text(env, "GOTRUE_ISSUER") ?? base, apiKey };
}

function opensAdministration(key: string): boolean {
  const claims = Buffer.from(key.split(".")[1] ?? "", "base64url").toString();
  return key.startsWith("sb_secret_") || /"role"\s*:\s*"(service_role|supabase_admin)"/.test(claims);
}

function twilio(env: Environment) {
  const given = allOrNone(env, ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"]);
  if (!given) return undefined;
  const [accountSid, authToken, from] = given;
  return { accountSid, authToken, from, apiUrl: serviceUrl(env, "TWILIO_API_URL") ?? "https://api.twilio.com" };
}

const signingServices = ["embedded", "docuseal", "docusign"] as const;
function esign(env: Environment) {
  const chosen = text(env, "ESIGN_PROVIDER");
  return {
    provider: chosen ? oneOf(env, "ESIGN_PROVIDER", signingServices, "embedded") : undefined,
    apiKey: text(env, "ESIGN_API_KEY"),
    apiUrl: serviceUrl(env, "ESIGN_API_URL"),
    webhookSecret: text(env, "ESIGN_WEBHOOK_SECRET"),
    docusign: docusign(env),
  };
}

function docusign(env: Environment) {
  const given = allOrNone(env, ["ESIGN_ACCOUNT_ID", "ESIGN_USER_ID", "ESIGN_PRIVATE_KEY"]);
  if (!given) return undefined;
  const [accountId, userId, givenKey] = given;
  const privateKey = pemOf(givenKey);
  if (!/-----BEGIN (RSA )?PRIVATE KEY-----/.test(privateKey))
    throw new ConfigError("ESIGN_PRIVATE_KEY must be the RSA key of the integration as PEM, or the base64 of it.");
  const authUrl = serviceUrl(env, "ESIGN_AUTH_URL") ?? "https://account.docusign.com";
  return { accountId, userId, privateKey, authUrl };
}

function seal(env: Environment) {
  const given = allOrNone(env, ["SEAL_CERTIFICATE", "SEAL_PRIVATE_KEY"]);
  if (!given) return undefined;
  const read = readSeal(pemOf(given[0]), pemOf(given[1]));
  if (!read)
    throw new ConfigError("SEAL_CERTIFICATE must be an X.509 certificate and SEAL_PRIVATE_KEY its RSA key, as PEM.");
  return read;
}

/** Throws ConfigError if the certificate is not valid now, because every verifier would reject its signatures. */
export function requireCurrentSeal({ seal: given }: Pick<Config, "seal">, now: Date): void {
  if (!given) return;
  const { state, day } = sealStateOf(given.certificate, now);
  if (state === "ended")
    throw new ConfigError(`SEAL_CERTIFICATE expired on ${day}. Set a valid certificate and its key.`);
  if (state === "not_begun")
    throw new ConfigError(
      `SEAL_CERTIFICATE is not valid before ${day}. Set a certificate that is valid now, and its key.`,
    );
}

const pemOf = (given: string): string =>
  (given.includes("-----BEGIN") ? given : Buffer.from(given, "base64").toString("utf8")).replaceAll("\\n", "\n");

function mailFrom(env: Environment): string | undefined {
  const address = text(env, "MAIL_FROM");
  if (address === undefined || isEmailAddress(address)) return address;
  throw new ConfigError(`MAIL_FROM must be an email address such as bookings@venue.com, not "${address}".`);
}

const namedRanges = ["loopback", "linklocal", "uniquelocal"];
function trustedProxies(env: Environment): string[] {
  const given = listOf(env, "TRUSTED_PROXIES");
  const wrong = given.find((one) => !ipaddr.isValid(one) && !ipaddr.isValidCIDR(one) && !namedRanges.includes(one));
  if (wrong !== undefined)
    throw new ConfigError(`TRUSTED_PROXIES: "${wrong}" is neither an address nor a range such as 10.0.0.0/8.`);
  return given;
}

function metricsToken(env: Environment): string | undefined {
  const token = text(env, "METRICS_TOKEN");
  if (token === undefined || /^\S{16,}$/.test(token)) return token;
  throw new ConfigError(
    'METRICS_TOKEN must have at least 16 characters and no blank; "openssl rand -hex 16" makes one.',
  );
}

function tracesUrl(env: Environment): string | undefined {
  const collector = baseUrl(env, "OTEL_EXPORTER_OTLP_ENDPOINT");
  return collector && `${collector}/v1/traces`;
}

function calendarAllowHosts(env: Environment, demo: boolean): string[] {
  const hosts = listOf(env, "CALENDAR_ALLOW_HOSTS");
  if (hosts.length > 0 && !demo)
    throw new ConfigError("CALENDAR_ALLOW_HOSTS works in demo mode only: it opens private addresses.");
  const wrong = hosts.find((host) => !/^(?:[\w.-]+|\[[\da-f:]+\]):[1-9]\d{0,4}$/i.test(host));
  if (wrong) throw new ConfigError(`CALENDAR_ALLOW_HOSTS: "${wrong}" is not host:port.`);
  return hosts.map((host) => host.toLowerCase());
}

/** Returns the address of the site without a slash at its end. The pages link from the root of a host. */
function publicAddress(env: Environment): string | undefined {
  const given = url(env, "PUBLIC_URL", ["http:", "https:"]);
  if (given === undefined) return undefined;
  const { origin, pathname } = new URL(given);
  if (/[^/]/.test(pathname) || /[?#@]/.test(given))
    throw new ConfigError(
      "PUBLIC_URL must be an address without a path or a query, such as https://stagedoor.example.",
    );
  return origin;
}

/** The payments of the demo market exist in the sandbox only. Another provider would report all of them as missing. */
function seed(env: Environment, demo: boolean, keys: ReturnType<typeof stripe>) {
  const chosen = oneOf(env, "SEED", ["demo", "none"], demo && !keys ? "demo" : "none");
  if (chosen === "demo" && keys) throw new ConfigError("SEED=demo needs the sandbox: remove STRIPE_SECRET_KEY.");
  return chosen;
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

export function readConfig(env: Environment) {
  requireKeys(env);
  const host = text(env, "HOST") ?? "127.0.0.1";
  const listen = port(env);
  const role = oneOf(env, "PROCESS", ["all", "web", "worker"], "all");
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrl } = databaseAddresses(env, role);
  const stripeKeys = stripe(env);
  const live = stripeKeys?.live ?? false;
  const publicUrl = publicAddress(env) ?? `http://localhost:${listen}`;
  const isLocal = isLoopback(host) && isLoopback(new URL(publicUrl).hostname);
  const demo = flag(env, "DEMO") ?? (!databaseUrl && !live && isLocal);
  if (demo && live)
    throw new ConfigError(
      "DEMO mode refuses to start with a live payment key. Set DEMO=0, or remove STRIPE_SECRET_KEY.",
    );
  if (demo && !isLoopback(host))
    throw new ConfigError(`DEMO mode refuses to listen on ${host}. Set DEMO=0 or HOST=127.0.0.1.`);
  if (demo && !isLocal)
    throw new ConfigError(
      `DEMO mode refuses a public PUBLIC_URL (${publicUrl}): its accounts and its mailbox are public. Set DEMO=0, or remove PUBLIC_URL.`,
    );
  if (publicUrl.startsWith("http:") && !isLoopback(new URL(publicUrl).hostname))
    throw new ConfigError("PUBLIC_URL must start with https://, because passwords and sessions are sent there.");
  const rateLimits = flag(env, "RATE_LIMITS") ?? true;
  if (!rateLimits && !isLoopback(host)) throw new ConfigError("RATE_LIMITS=off is refused on a public HOST.");
  const acceptEmbeddedMoney = flag(env, "ACCEPT_EMBEDDED_MONEY") ?? false;
  if (live && !databaseUrl && !acceptEmbeddedMoney)
    throw new ConfigError(
      "A live payment key needs DATABASE_URL (PostgreSQL 15 or later), or ACCEPT_EMBEDDED_MONEY=1 to take the risk.",
    );
  if (role !== "all" && !databaseUrl)
    throw new ConfigError("PROCESS=web or worker needs DATABASE_URL: the embedded database serves one process.");
  return Object.freeze({
    port: listen,
    host,
    publicUrl,
    dataDir: path.resolve(text(env, "DATA_DIR") ?? ".data"),
    /** PostgreSQL >= 15. Undefined: the embedded database. */
    databaseUrl,
    /** The server itself if `databaseUrl` names a pooler in transaction mode. LISTEN and scripts need a session of their own. */
    databaseDirectUrl,
    databaseReplicaUrl,
    /** True if statements are prepared once per connection. False for poolers that share one connection among clients. */
    prepareStatements: flag(env, "DATABASE_PREPARE") ?? true,
    /** Demo mode: sandbox payments, dev mailbox, movable clock, self-chosen admin. */
    demo,
    /** The currencies of the sandbox's account, the default one first. Empty: all that payments can have. */
    sandboxCurrencies: listOf(env, "SANDBOX_CURRENCIES").map((one) => one.toLowerCase()),
    /** host:port pairs of private addresses that artists' calendars may be read from, in demo mode only. */
    calendarAllowHosts: calendarAllowHosts(env, demo),
    process: role,
    rateLimits,
    seed: seed(env, demo, stripeKeys),
    stripe: stripeKeys,
    smtpUrl: smtpUrl(env),
    /** The sender of emails until an admin saves another one. Undefined: derived from `publicUrl`. */
    mailFrom: mailFrom(env),
    twilio: twilio(env),
    smsCodesPerDay: wholeNumber(env, "SMS_CODES_PER_DAY", 200),
    /** The contract signing service. The admin's settings supply what is missing here. */
    esign: esign(env),
    s3: filesBucket(env),
    /** The certificate for contracts (DER) and its key (PKCS #8). Undefined: this installation makes its own. */
    seal: seal(env),
    trustedProxies: trustedProxies(env),
    gotrue: gotrue(env),
    oidc: oidc(env),
    /** The root key of stored secrets, 32 bytes. Undefined: the file secrets.key in the data folder. */
    secretsKey: key(env, "SECRETS_KEY"),
    secretsKeyOld: key(env, "SECRETS_KEY_OLD"),
    /** Daily backups to a folder, a bucket or both. The `keep` newest are retained. With a passphrase they include the root key, encrypted. */
    backup: backup(env),
    /** Starts on a database that a newer version has migrated, for a process that restarts during a rolling upgrade. */
    allowNewerDatabase: flag(env, "ALLOW_NEWER_DATABASE") ?? false,
    /** Accepts real money on the embedded database, which can lose seconds of data in a power cut if the disk is bad. */
    acceptEmbeddedMoney,
    misspelled: misspelledNames(env),
    /** Statements that take at least this long are logged, in ms. 0 logs none. */
    slowStatementMs: wholeNumber(env, "SLOW_STATEMENT_MS", 1_000),
    logLevel: oneOf(env, "LOG_LEVEL", logLevels, demo ? "warn" : "info"),
    /** The bearer token of /metrics. Undefined: only this machine may read them. */
    metricsToken: metricsToken(env),
    tracesUrl: tracesUrl(env),
    /** True if the web is served from its sources and reloads (npm run dev). */
    dev: text(env, "NODE_ENV") === "development",
  });
}
