import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** An invalid setting of the environment. The message is the line that the operator reads. */
export class ConfigError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A restore needs the passphrase exactly as it was when the backup was made. */
const mayHaveQuotes = "BACKUP_PASSPHRASE";

/** Returns the trimmed value, or undefined if it is empty. Throws ConfigError for quotes that a file of settings was expected to remove. */
export function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim() || undefined;
  if (value && name !== mayHaveQuotes && /^(["']).*\1$/s.test(value))
    throw new ConfigError(`${name} must be set without the quotes around its value.`);
  return value;
}

/** Throws ConfigError for a key with a blank, a line break or a character outside ASCII, which no header can have. */
export function requireKeys(env: Environment): void {
  const wrong = keyNames.find((name) => !/^[\x21-\x7e]*$/.test(text(env, name) ?? ""));
  if (wrong) throw new ConfigError(`${wrong} must be one word of letters, digits and signs, without a blank.`);
}

export const listOf = (env: Environment, name: string): string[] =>
  (text(env, name) ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);

/** Returns the values of settings that belong together, or undefined if none is set. Throws ConfigError if some are missing. */
export function allOrNone<const Names extends readonly string[]>(env: Environment, names: Names) {
  const values = names.flatMap((name) => text(env, name) ?? []);
  if (values.length === 0) return undefined;
  if (values.length === names.length) return values as unknown as { readonly [At in keyof Names]: string };
  throw new ConfigError(
    `${names.slice(0, -1).join(", ")} and ${names.at(-1)} belong together. One of them is missing.`,
  );
}

export function flag(env: Environment, name: string): boolean | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  if (["1", "true", "on", "yes"].includes(value)) return true;
  if (["0", "false", "off", "no"].includes(value)) return false;
  throw new ConfigError(`${name} must be 0 or 1, not "${value}".`);
}

export function oneOf<T extends string>(env: Environment, name: string, allowed: readonly T[], otherwise: T): T {
  const value = text(env, name) ?? otherwise;
  const found = allowed.find((one) => one === value);
  if (!found) throw new ConfigError(`${name} must be one of ${allowed.join(", ")}, not "${value}".`);
  return found;
}

export function url(env: Environment, name: string, protocols: readonly string[]): string | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  if (!protocols.some((protocol) => value.toLowerCase().startsWith(`${protocol}//`)))
    throw new ConfigError(
      `${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(" or ")}.`,
    );
  if (!isAddress(value))
    throw new ConfigError(
      `${name} is not a valid address. Check the host and the port (1 to 65535). Write special characters of the password as %XX.`,
    );
  return value;
}

/** Returns false for an address without a host, and for one whose password has a character that ends it. PostgreSQL can have the host in the query. */
function isAddress(value: string): boolean {
  const address = URL.parse(value);
  if (!address || address.port === "0" || !(address.hostname || address.searchParams.get("host"))) return false;
  // The value of a parameter may have the sign.
  if (/@/.test(`${address.pathname}${address.hash}`) || /^\?[^=]*@/.test(address.search)) return false;
  try {
    return decodeURIComponent(`${address.username}${address.password}`) !== undefined;
  } catch {
    return false;
  }
}

/** The parameters that other programs read from the address would be ignored here. */
export function smtpUrl(env: Environment): string | undefined {
  const given = url(env, "SMTP_URL", ["smtp:", "smtps:"]);
  if (given === undefined) return undefined;
  const { username, password, pathname, search, hash } = new URL(given);
  if (!username !== !password || /[^/]/.test(pathname) || search || hash)
    throw new ConfigError(
      "SMTP_URL must be smtp://HOST:PORT or smtp://USER:PASSWORD@HOST:PORT (or smtps://), without a path or a query.",
    );
  return given;
}

const postgresSchemes = ["postgres:", "postgresql:"];

/** Returns the addresses of PostgreSQL. A pooler serves web processes only. Throws ConfigError for an address without the one it needs. */
export function databaseAddresses(env: Environment, role: "web" | "worker" | "all") {
  const databaseUrl = url(env, "DATABASE_URL", postgresSchemes);
  const direct = url(env, "DATABASE_DIRECT_URL", postgresSchemes);
  const databaseReplicaUrl = url(env, "DATABASE_REPLICA_URL", postgresSchemes);
  if (!databaseUrl && direct) throw new ConfigError("DATABASE_DIRECT_URL needs DATABASE_URL, the pooler's address.");
  if (!databaseUrl && databaseReplicaUrl)
    throw new ConfigError("DATABASE_REPLICA_URL needs DATABASE_URL, the primary.");
  return role === "web"
    ? { databaseUrl, databaseDirectUrl: direct, databaseReplicaUrl }
    : { databaseUrl: direct ?? databaseUrl, databaseDirectUrl: undefined, databaseReplicaUrl };
}

export function wholeNumber(env: Environment, name: string, otherwise: number): number {
  const value = text(env, name) ?? String(otherwise);
  if (!/^\d{1,9}$/.test(value)) throw new ConfigError(`${name} must be a whole number, 0 or more.`);
  return Number(value);
}

/** Returns true if the host name or address reaches only this machine. Names under .localhost do by RFC 6761. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (isIP(name)) return ipaddr.process(name).range() === "loopback";
  return name === "localhost" || name.endsWith(".localhost");
}

/** Reads an address that paths are added to, without a slash at its end. */
export function baseUrl(env: Environment, name: string): string | undefined {
  const value = url(env, name, ["http:", "https:"])?.replace(/\/+$/, "");
  if (value && /[?#@]/.test(value))
    throw new ConfigError(`${name} must be an address without a user and a query, such as https://service.example.`);
  return value;
}

/** Reads the address of a service. It must be https, except on this host, because the key is sent there. */
export function serviceUrl(env: Environment, name: string): string | undefined {
  const value = baseUrl(env, name);
  if (value?.startsWith("http:") && !isLoopback(new URL(value).hostname))
    throw new ConfigError(`${name} must start with https://, because the key is sent there.`);
  return value;
}

export type Bucket = Readonly<{
  bucket: string;
  region: string;
  /** The address of a service other than Amazon's. Undefined: Amazon S3. */
  endpoint: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
}>;

export function filesBucket(env: Environment): Bucket | undefined {
  const given = filesSettings(env);
  if (!given.bucket && !given.accessKeyId && !given.secretAccessKey) return undefined;
  return requireBucket(given, "S3");
}

/** Returns the bucket of backups, or undefined. Missing settings default to the files' bucket. Throws ConfigError if both are the same. */
export function backupBucket(env: Environment): Bucket | undefined {
  const name = text(env, "BACKUP_S3_BUCKET");
  if (!name) {
    const other = settingNames.find((setting) => setting.startsWith("BACKUP_S3_") && text(env, setting));
    if (other) throw new ConfigError(`${other} needs BACKUP_S3_BUCKET: without a bucket there are no backups in it.`);
    return undefined;
  }
  const files = filesSettings(env);
  const own = requireBucket(
    {
      bucket: name,
      accessKeyId: text(env, "BACKUP_S3_ACCESS_KEY_ID") ?? files.accessKeyId,
      secretAccessKey: text(env, "BACKUP_S3_SECRET_ACCESS_KEY") ?? files.secretAccessKey,
      region: text(env, "BACKUP_S3_REGION") ?? files.region,
      endpoint: serviceUrl(env, "BACKUP_S3_ENDPOINT") ?? files.endpoint,
    },
    "BACKUP_S3",
  );
  if (own.bucket === files.bucket && own.endpoint === files.endpoint)
    throw new ConfigError("BACKUP_S3_BUCKET must be another bucket than S3_BUCKET: backups are not files of the site.");
  return own;
}

const filesSettings = (env: Environment) => ({
  bucket: text(env, "S3_BUCKET"),
  accessKeyId: text(env, "S3_ACCESS_KEY_ID"),
  secretAccessKey: text(env, "S3_SECRET_ACCESS_KEY"),
  region: text(env, "S3_REGION"),
  endpoint: serviceUrl(env, "S3_ENDPOINT"),
});

/** Throws ConfigError unless bucket and keys are both given. The bucket's name is part of addresses. */
function requireBucket(given: ReturnType<typeof filesSettings>, prefix: "S3" | "BACKUP_S3"): Bucket {
  const { bucket, accessKeyId, secretAccessKey, region = "us-east-1", endpoint } = given;
  if (!bucket || !accessKeyId || !secretAccessKey)
    throw new ConfigError(
      `${prefix}_BUCKET, ${prefix}_ACCESS_KEY_ID and ${prefix}_SECRET_ACCESS_KEY belong together. One of them is missing.`,
    );
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new ConfigError(
      `${prefix}_BUCKET must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens.`,
    );
  return { bucket, region, endpoint, accessKeyId, secretAccessKey };
}

export function oidc(env: Environment) {
  serviceUrl(env, "OIDC_ISSUER");
  const given = allOrNone(env, ["OIDC_ISSUER", "OIDC_CLIENT_ID"]);
  if (!given) return undefined;
  const [issuer, clientId] = given;
  if (text(env, "GOTRUE_URL"))
    throw new ConfigError("OIDC_ISSUER and GOTRUE_URL exclude each other: the hosted service has its own providers.");
  return {
    issuer,
    clientId,
    /** Undefined: a public client, which is protected by PKCE alone. */
    clientSecret: text(env, "OIDC_CLIENT_SECRET"),
    label: text(env, "OIDC_LABEL") ?? new URL(issuer).host,
    /** The claim with a user's roles. Undefined: roles are assigned manually only. */
    roleClaim: text(env, "OIDC_ROLE_CLAIM"),
    adminValue: text(env, "OIDC_ADMIN_VALUE") ?? "admin",
  };
}

/** All settings. settings-document.test.ts compares them with docs/operate/configure.md. */
export const settingNames: readonly string[] = `
  ACCEPT_EMBEDDED_MONEY ALLOW_NEWER_DATABASE BACKUP_DIR BACKUP_KEEP BACKUP_PASSPHRASE
  BACKUP_S3_ACCESS_KEY_ID BACKUP_S3_BUCKET BACKUP_S3_ENDPOINT BACKUP_S3_REGION
  BACKUP_S3_SECRET_ACCESS_KEY CALENDAR_ALLOW_HOSTS DATABASE_DIRECT_URL DATABASE_PREPARE
  DATABASE_REPLICA_URL DATABASE_URL DATA_DIR DEMO ESIGN_ACCOUNT_ID ESIGN_API_KEY ESIGN_API_URL
  ESIGN_AUTH_URL ESIGN_PRIVATE_KEY ESIGN_PROVIDER ESIGN_USER_ID ESIGN_WEBHOOK_SECRET GOTRUE_API_KEY
  GOTRUE_ISSUER GOTRUE_URL HOST LOG_LEVEL MAIL_FROM METRICS_TOKEN NODE_COMPILE_CACHE NODE_ENV
  OIDC_ADMIN_VALUE OIDC_CLIENT_ID OIDC_CLIENT_SECRET OIDC_ISSUER OIDC_LABEL OIDC_ROLE_CLAIM
  OTEL_EXPORTER_OTLP_ENDPOINT PORT PROCESS PUBLIC_URL RATE_LIMITS S3_ACCESS_KEY_ID S3_BUCKET
  S3_ENDPOINT S3_REGION S3_SECRET_ACCESS_KEY SANDBOX_CURRENCIES SEAL_CERTIFICATE SEAL_PRIVATE_KEY
  SECRETS_KEY SECRETS_KEY_OLD SEED SLOW_STATEMENT_MS SMS_CODES_PER_DAY SMTP_URL STRIPE_CONNECT_WEBHOOK_SECRET
  STRIPE_SECRET_KEY STRIPE_WEBHOOK_SECRET TRUSTED_PROXIES TWILIO_ACCOUNT_SID TWILIO_API_URL
  TWILIO_AUTH_TOKEN TWILIO_FROM
`
  .trim()
  .split(/\s+/);

/** Sent in headers or addresses. The other secrets only sign, so they may have any character. */
const keyNames = `
  BACKUP_S3_ACCESS_KEY_ID BACKUP_S3_REGION ESIGN_ACCOUNT_ID ESIGN_API_KEY ESIGN_USER_ID GOTRUE_API_KEY
  S3_ACCESS_KEY_ID S3_REGION TWILIO_ACCOUNT_SID TWILIO_AUTH_TOKEN
`
  .trim()
  .split(/\s+/);

/** Shorter names are too similar to names of other programs. */
const minNameLength = 8;

/** Returns a warning for each variable that is no setting and differs from one by a character, or by the ending of a plural. */
export function misspelledNames(env: Environment): string[] {
  return Object.keys(env).flatMap((name) => {
    if (name.length < minNameLength || settingNames.includes(name)) return [];
    const meant = settingNames.find((setting) => isNearly(singular(name), singular(setting)));
    return meant ? [`${name} is unknown; did you mean ${meant}?`] : [];
  });
}

const singular = (name: string) => name.replace(/IES$/, "Y").replace(/S$/, "");

function isNearly(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [rest, expected] = [one.slice(start), other.slice(start)];
  return (
    rest.slice(1) === expected.slice(1) ||
    rest.slice(1) === expected ||
    rest === expected.slice(1) ||
    (rest.length > 1 && `${rest[1]}${rest[0]}${rest.slice(2)}` === expected)
  );
}
