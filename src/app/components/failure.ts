import type { Config } from "#platform/config.ts";
import { withoutAddresses } from "#platform/email-address.rules.ts";

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
