import { expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

test("accepts addresses, ranges and named ranges as proxies", () => {
  const given = " 10.0.0.7, 192.168.0.0/16,loopback, 2001:db8::/32 ,";
  expect(readConfig({ TRUSTED_PROXIES: given }).trustedProxies).toEqual([
    "10.0.0.7",
    "192.168.0.0/16",
    "loopback",
    "2001:db8::/32",
  ]);
  expect(readConfig({}).trustedProxies).toEqual([]);
});

test.each(["proxy.example", "10.0.0.0/33", "everybody"])("refuses a proxy called %s with a message", (wrong) => {
  expect(() => readConfig({ TRUSTED_PROXIES: `127.0.0.1, ${wrong}` })).toThrow(ConfigError);
  expect(() => readConfig({ TRUSTED_PROXIES: wrong })).toThrow(`TRUSTED_PROXIES: "${wrong}"`);
});

test.each([
  [{ STRIPE_SECRET_KEY: "sk_live_x", STRIPE_WEBHOOK_SECRET: "whsec_x", DEMO: "1" }, "DEMO mode refuses to start"],
  [{ STRIPE_SECRET_KEY: "sk_live_x", STRIPE_WEBHOOK_SECRET: "whsec_x" }, "needs DATABASE_URL"],
  [{ HOST: "0.0.0.0", DEMO: "1" }, "DEMO mode refuses to listen"],
  [{ PUBLIC_URL: "https://stagedoor.example", DEMO: "1" }, "DEMO mode refuses a public PUBLIC_URL"],
  [{ PUBLIC_URL: "http://192.168.1.4:3000", DEMO: "1" }, "DEMO mode refuses a public PUBLIC_URL"],
  [{ PUBLIC_URL: "http://stagedoor.example" }, "PUBLIC_URL must start with https://"],
  [{ PUBLIC_URL: "https://stagedoor.example/base/" }, "PUBLIC_URL must be an address without a path or a query"],
  [{ PUBLIC_URL: "https://stagedoor.example/?x=1" }, "PUBLIC_URL must be an address without a path or a query"],
  [{ LOG_LEVEL: "verbose" }, "LOG_LEVEL must be one of fatal, error, warn"],
  [{ HOST: "0.0.0.0", RATE_LIMITS: "off" }, "RATE_LIMITS=off is refused"],
  [{ PROCESS: "worker" }, "needs DATABASE_URL"],
  [{ PORT: "eighty" }, "PORT must be a number"],
  [{ DATABASE_URL: "mysql://127.0.0.1/x" }, "DATABASE_URL must be an address that starts with postgres://"],
  [{ MAIL_FROM: "Venue <a@venue.com>" }, "MAIL_FROM must be an email address such as bookings@venue.com"],
  [{ SMTP_URL: "mail.example:587" }, "SMTP_URL must be an address that starts with smtp:// or smtps://"],
  [{ SMTP_URL: "smtp://localhost:99999" }, "SMTP_URL is not a valid address. Check the host and the port (1 to 65535)"],
  [{ SMTP_URL: "smtp://" }, "SMTP_URL is not a valid address"],
  [{ SMTP_URL: "smtp://:587" }, "SMTP_URL is not a valid address"],
  [{ SMTP_URL: "smtp://relay.example:0" }, "SMTP_URL is not a valid address"],
  [{ SMTP_URL: "smtp://ada:100%@relay.example" }, "Write special characters of the password as %XX"],
  [{ SMTP_URL: "smtp://ada:12#34@relay.example" }, "Write special characters of the password as %XX"],
  [{ SMTP_URL: "smtp://ada@relay.example" }, "SMTP_URL must be smtp://HOST:PORT or smtp://USER:PASSWORD@HOST:PORT"],
  [{ SMTP_URL: "smtp://:secret@relay.example" }, "SMTP_URL must be smtp://HOST:PORT"],
  [{ SMTP_URL: "smtp://relay.example/?requireTLS=true" }, "without a path or a query"],
  [{ DATABASE_URL: "postgres://" }, "DATABASE_URL is not a valid address"],
  [{ DATABASE_URL: "postgres:///stagedoor" }, "DATABASE_URL is not a valid address"],
  [{ DATABASE_URL: "postgres://ada:12/34@127.0.0.1/x" }, "Write special characters of the password as %XX"],
  [{ DATABASE_REPLICA_URL: "postgres://127.0.0.1:0/x" }, "DATABASE_REPLICA_URL is not a valid address"],
  [{ PUBLIC_URL: "https://stagedoor.example:0" }, "PUBLIC_URL is not a valid address"],
  [{ PUBLIC_URL: "https://:secret@stagedoor.example" }, "PUBLIC_URL must be an address without a path or a query"],
  [{ PUBLIC_URL: '"https://stagedoor.example"' }, "PUBLIC_URL must be set without the quotes around its value"],
  [{ DATA_DIR: "'/var/lib/stagedoor'" }, "DATA_DIR must be set without the quotes"],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318?x" }, "must be an address without a user and a query"],
  [{ GOTRUE_URL: "https://ada:secret@auth.example" }, "GOTRUE_URL must be an address without a user and a query"],
  [{ CALENDAR_ALLOW_HOSTS: "127.0.0.1:0" }, '"127.0.0.1:0" is not host:port'],
  [{ ESIGN_API_KEY: "first second" }, "ESIGN_API_KEY must be one word of letters, digits and signs"],
  [
    { STRIPE_SECRET_KEY: "sk_test_x", STRIPE_WEBHOOK_SECRET: "we_1x" },
    "STRIPE_WEBHOOK_SECRET must be the signing secret",
  ],
  [{ BACKUP_S3_ENDPOINT: "https://s3.example" }, "BACKUP_S3_ENDPOINT needs BACKUP_S3_BUCKET"],
  [{ DATABASE_DIRECT_URL: "postgres://127.0.0.1/x" }, "DATABASE_DIRECT_URL needs DATABASE_URL"],
  [{ DATABASE_REPLICA_URL: "postgres://127.0.0.1/x" }, "DATABASE_REPLICA_URL needs DATABASE_URL"],
  [{ DEMO: "perhaps" }, "DEMO must be 0 or 1"],
  [{ ESIGN_PROVIDER: "pen" }, "ESIGN_PROVIDER must be one of embedded, docuseal, docusign"],
  [
    { TWILIO_ACCOUNT_SID: "a", TWILIO_AUTH_TOKEN: "t", TWILIO_FROM: "+1", TWILIO_API_URL: "http://sms.example" },
    "TWILIO_API_URL must start with https://",
  ],
  [{ ESIGN_API_URL: "http://sign.example/api" }, "ESIGN_API_URL must start with https://"],
  [{ ESIGN_ACCOUNT_ID: "a", ESIGN_USER_ID: "u" }, "belong together"],
  [{ S3_BUCKET: "files" }, "S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together"],
  [
    { S3_BUCKET: "Files/x", S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "s" },
    "S3_BUCKET must be the name of a bucket",
  ],
  [
    { S3_BUCKET: "files", S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "s", S3_ENDPOINT: "http://s3.example" },
    "S3_ENDPOINT must start with https://",
  ],
  [{ ESIGN_ACCOUNT_ID: "a", ESIGN_USER_ID: "u", ESIGN_PRIVATE_KEY: "x" }, "ESIGN_PRIVATE_KEY must be the RSA key"],
  [{ SECRETS_KEY: "too short" }, "SECRETS_KEY must be 32 bytes in base64"],
] as const)("refuses %o: %s", (env, words) => {
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(() => readConfig(env)).toThrow(words);
});

test("accepts addresses with escaped passwords, sockets and a slash at their end", () => {
  const read = (env: Record<string, string>) =>
    readConfig({ DATABASE_URL: "postgres:///x?host=/run/postgresql", ...env });
  expect(read({}).databaseUrl).toBe("postgres:///x?host=/run/postgresql");
  for (const DATABASE_URL of [
    "postgresql://%2Frun%2Fpostgresql/x",
    "postgres://ada@db/x",
    "postgres://ada:%23%2F@db:5432/x",
    "postgres://db/x?application_name=stagedoor@venue",
  ])
    expect(read({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL);
  for (const SMTP_URL of ["smtp://relay.example", "smtps://ada%40venue.com:%25@relay.example:465/", "smtp://[::1]:25"])
    expect(read({ SMTP_URL }).smtpUrl).toBe(SMTP_URL);
  expect(read({ ESIGN_API_URL: "https://sign.example/api/" }).esign.apiUrl).toBe("https://sign.example/api");
  const bucket = { S3_BUCKET: "files", S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "ein Schlüssel" };
  expect(read(bucket).s3).toMatchObject({ secretAccessKey: "ein Schlüssel" });
  expect(read({ BACKUP_PASSPHRASE: '"a phrase in quotes"' }).backup.passphrase).toBe('"a phrase in quotes"');
});

test("accepts a pooler for web processes only", () => {
  const given = { DATABASE_URL: "postgres://pooler/x", DATABASE_DIRECT_URL: "postgres://server/x" };
  const addresses = (PROCESS: string) => {
    const { databaseUrl, databaseDirectUrl } = readConfig({ ...given, PROCESS });
    return [databaseUrl, databaseDirectUrl];
  };
  expect(addresses("web")).toEqual(["postgres://pooler/x", "postgres://server/x"]);
  for (const role of ["worker", "all"]) expect(addresses(role)).toEqual(["postgres://server/x", undefined]);
});

test("reads the key of DocuSign as PEM, with escaped line breaks, or as base64", () => {
  const pem = "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----";
  const read = (ESIGN_PRIVATE_KEY: string) =>
    readConfig({ ESIGN_ACCOUNT_ID: "a", ESIGN_USER_ID: "u", ESIGN_PRIVATE_KEY }).esign.docusign;
  const expected = { accountId: "a", userId: "u", privateKey: pem, authUrl: "https://account.docusign.com" };
  expect(read(pem)).toEqual(expected);
  expect(read(pem.replaceAll("\n", "\\n"))).toEqual(expected);
  expect(read(Buffer.from(pem).toString("base64"))).toEqual(expected);
  expect(readConfig({}).esign).toMatchObject({ provider: undefined, apiUrl: undefined, docusign: undefined });
});

test("prepares statements unless the operator switches it off", () => {
  expect(readConfig({}).prepareStatements).toBe(true);
  expect(readConfig({ DATABASE_PREPARE: "off" }).prepareStatements).toBe(false);
  expect(() => readConfig({ DATABASE_PREPARE: "maybe" })).toThrow("DATABASE_PREPARE must be 0 or 1");
});

test("switches demo mode off by default at a public address", () => {
  expect(readConfig({}).demo).toBe(true);
  expect(readConfig({ PUBLIC_URL: "http://localhost:4000" }).demo).toBe(true);
  expect(readConfig({ PUBLIC_URL: "http://[::1]:4000" }).demo).toBe(true);
  expect(readConfig({ PUBLIC_URL: "https://stagedoor.example/" })).toMatchObject({
    publicUrl: "https://stagedoor.example",
    demo: false,
    seed: "none",
  });
});

test("fills a demo market only where the sandbox has its payments", () => {
  expect(readConfig({}).seed).toBe("demo");
  expect(readConfig({ STRIPE_SECRET_KEY: "sk_test_x" })).toMatchObject({ demo: true, seed: "none" });
  expect(readConfig({ SEED: "none", STRIPE_SECRET_KEY: "sk_test_x" }).seed).toBe("none");
  expect(() => readConfig({ SEED: "demo", STRIPE_SECRET_KEY: "sk_test_x" })).toThrow("SEED=demo needs the sandbox");
});

test("names unknown variables that are nearly a setting", () => {
  const env = { DATABSE_URL: "x", SMPT_URL: "x", TRUSTED_PROXY: "x", BACKUP_DIRS: "x" };
  expect(readConfig(env).misspelled).toEqual([
    "DATABSE_URL is unknown; did you mean DATABASE_URL?",
    "SMPT_URL is unknown; did you mean SMTP_URL?",
    "TRUSTED_PROXY is unknown; did you mean TRUSTED_PROXIES?",
    "BACKUP_DIRS is unknown; did you mean BACKUP_DIR?",
  ]);
  expect(readConfig({ HOSTNAME: "web", HOME: "/root", POSTGRES_URL: "x", NODE_OPTIONS: "" }).misspelled).toEqual([]);
});
