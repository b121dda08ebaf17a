import { sortsBy } from "#platform/list.rules.ts";

export const activityTypes = ["booking", "contract", "payment", "notification", "system"] as const;
export type ActivityType = (typeof activityTypes)[number];

export const moneyCaseKinds = ["dispute", "payout", "lost_dispute", "regained_dispute", "unpayable_balance"] as const;

export const logSorts = sortsBy("time", "type");
export type LogSort = (typeof logSorts)[number];

const secretName =
  /pass(word|phrase)|secret|token|api_?key|authorization|cookie|nonce|otp|recovery_?code|private_?key|signature_?image/i;
/** Secrets with a known form inside other text: JWTs, provider keys, links with a token. */
const secretText =
  /eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+|\b(?:sk|rk|whsec)_[\w]{8,}|([?&#;](?:token|token_hash|code|access_token|refresh_token|key|link)=)[^&#\s"'<>]+/gi;
const deepest = 4;

/** Replaces secrets in a log entry's details, by name and by shape, and cuts values below the fourth level. */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return textWithoutSecrets(value);
  if (value instanceof Date) return value.toISOString();
  if (!value || typeof value !== "object") return value;
  if (depth >= deepest) return "[cut]";
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretName.test(name) ? "[cut]" : withoutSecrets(inner, depth + 1),
    ]),
  );
}

export const textWithoutSecrets = (text: string): string =>
  text.replaceAll(secretText, (_all, lead: string | undefined) => `${lead ?? ""}[cut]`);
