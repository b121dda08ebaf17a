/** Access to DocuSign: a token by JWT grant, cached while it is valid, and the base address of the account. */

import { createPrivateKey } from "node:crypto";
import { importPKCS8, SignJWT } from "jose";
import { z } from "zod";
import { callForJson } from "../providers/provider-call.ts";
import { EsignFailure } from "../providers/provider.ts";

const label = "DocuSign";
const earlySeconds = 300;

export type DocusignAccount = Readonly<{ accountId: string; userId: string; privateKey: string; authUrl: string }>;
export type DocusignAccess = Readonly<{ base: string; name: string; headers: Record<string, string> }>;

type Opened = DocusignAccess & { until: number };
const opened = new Map<string, Opened>();

export function dropAccess(access: DocusignAccess): void {
  for (const [key, cached] of opened) if (cached === access) opened.delete(key);
}

/** Opens the account. Throws an EsignFailure that names what is missing or rejected. */
export async function openDocusign(parts: {
  integrationKey: string | undefined;
  account: DocusignAccount | undefined;
  now: () => Date;
}): Promise<DocusignAccess> {
  const { integrationKey, account, now } = parts;
  if (!integrationKey) throw new EsignFailure("wrong_key", "No API key (integration key) is stored for DocuSign.");
  if (!account)
    throw new EsignFailure(
      "wrong_key",
      "DocuSign is not set up: ESIGN_ACCOUNT_ID, ESIGN_USER_ID and ESIGN_PRIVATE_KEY are missing.",
    );
  const cacheKey = [integrationKey, account.accountId, account.userId, account.authUrl].join(" ");
  const cached = opened.get(cacheKey);
  if (cached && cached.until > now().getTime()) return cached;
  const { token, seconds } = await requestToken(integrationKey, account, now());
  const headers = { authorization: `Bearer ${token}` };
  const { base, name } = await findAccount(account, headers);
  const access: Opened = {
    base: `${base}/restapi/v2.1/accounts/${encodeURIComponent(account.accountId)}`,
    name,
    headers,
    until: now().getTime() + (seconds - earlySeconds) * 1_000,
  };
  opened.set(cacheKey, access);
  return access;
}

async function requestToken(integrationKey: string, account: DocusignAccount, now: Date) {
  const issued = Math.floor(now.getTime() / 1_000);
  const assertion = await new SignJWT({ scope: "signature impersonation" })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(integrationKey)
    .setSubject(account.userId)
    .setAudience(new URL(account.authUrl).host)
    .setIssuedAt(issued)
    .setExpirationTime(issued + 3_600)
    .sign(await keyFrom(account.privateKey));
  const shape = z.object({ access_token: z.string(), expires_in: z.coerce.number() });
  const { access_token: token, expires_in: seconds } = await callForJson(shape, {
    label,
    method: "POST",
    url: `${account.authUrl}/oauth/token`,
    headers: {},
    body: new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion }),
  }).catch((error: unknown) => {
    // The token endpoint answers 400 for unknown keys, and for missing consent.
    if (error instanceof EsignFailure && error.kind === "refused")
      throw new EsignFailure("wrong_key", error.message.replace("refused", "does not accept the key"));
    throw error;
  });
  return { token, seconds };
}

async function keyFrom(pem: string) {
  try {
    return await importPKCS8(createPrivateKey(pem).export({ type: "pkcs8", format: "pem" }).toString(), "RS256");
  } catch {
    throw new EsignFailure("wrong_key", "ESIGN_PRIVATE_KEY cannot be read as an RSA key.");
  }
}

async function findAccount(account: DocusignAccount, headers: Record<string, string>) {
  const one = z.object({ account_id: z.string(), account_name: z.string(), base_uri: z.string() });
  const url = `${account.authUrl}/oauth/userinfo`;
  const { accounts } = await callForJson(z.object({ accounts: z.array(one) }), { label, method: "GET", url, headers });
  const mine = accounts.find(({ account_id: id }) => id === account.accountId);
  if (!mine)
    throw new EsignFailure("wrong_key", "This DocuSign user does not belong to the account in ESIGN_ACCOUNT_ID.");
  return { base: mine.base_uri.replace(/\/+$/, ""), name: mine.account_name };
}
