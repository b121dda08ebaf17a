import type { Config } from "#platform/config.ts";
import { withoutAddresses } from "#platform/email-address.rules.ts";
import { errorCode } from "#platform/errors.ts";

export function causesOf(error: unknown): Error[] {
  if (error instanceof AggregateError) return [error, ...error.errors.flatMap(causesOf)];
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, "the connection was refused"],
  [/ENOTFOUND|EAI_AGAIN|EDNS/, "the host was not found"],
  [/EHOSTUNREACH|ENETUNREACH/, "there is no route to the host"],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET/, "the connection was closed"],
  [/WRONG_VERSION_NUMBER|wrong version number/, "it does not use TLS on this port"],
  [/CERT|SELF_SIGNED|SSL|TLS/, "its certificate is not accepted"],
  [/ETIMEDOUT|TIMEOUT|TimeoutError|AbortError/, "it did not respond in time"],
];

export function networkReason(error: unknown): string | undefined {
  const found = causesOf(error).map((one) => `${errorCode(one)} ${one.name} ${one.message}`);
  return reasons.find(([pattern]) => found.some((text) => pattern.test(text)))?.[1];
}

/** Removes the keys and passwords of the configuration and all email addresses. Returns one line of at most 300 characters. */
export function withoutSecrets(text: string, config: Config): string {
  let clean = text;
  for (const secret of secretsOf(config)) clean = clean.replaceAll(secret, "…");
  return withoutAddresses(clean)
    .replaceAll(/\b(sk|rk|pk|whsec)_[\w*]+/g, "$1_…")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 300);
}

function secretsOf(config: Config): string[] {
  const { stripe, twilio, esign, s3, gotrue, oidc } = config;
  return [
    stripe?.secretKey,
    stripe?.webhookSecret,
    stripe?.connectWebhookSecret,
    twilio?.authToken,
    esign.apiKey,
    esign.webhookSecret,
    esign.docusign?.privateKey,
    s3?.secretAccessKey,
    s3?.accessKeyId,
    config.backup.bucket?.secretAccessKey,
    gotrue?.apiKey,
    oidc?.clientSecret,
    ...[config.smtpUrl, config.databaseUrl, config.databaseDirectUrl, config.databaseReplicaUrl].flatMap(passwordsIn),
  ].filter((secret) => secret !== undefined && secret.length > 2) as string[];
}

function passwordsIn(address: string | undefined): string[] {
  const password = address ? new URL(address).password : "";
  return password ? [password, decodeURIComponent(password)] : [];
}
