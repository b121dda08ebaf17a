/** One-time codes before a signature: for one party, contract and document, ten minutes, five tries, one use. Sending and entry are evidence. */

import { randomInt, timingSafeEqual } from "node:crypto";
import type { Reader, Tx } from "#platform/db/index.ts";
import { invalidField } from "#platform/errors.ts";
import type { Keys } from "#platform/security/keys.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { type ContractSide, signingCode } from "../rules/contract.rules.ts";
import { type RequestOrigin, requireUnsigned } from "../signing/signatures.ts";
import { appendEvidence } from "../store.ts";
import { deleteCode, findCode, replaceCode } from "./signing-codes.store.ts";

const purpose = "contract signing code";

type CodeFor = Readonly<{ contractId: string; side: ContractSide; documentHash: string }>;
const textOf = ({ contractId, side, documentHash }: CodeFor, code: string) =>
  `${contractId} ${side} ${documentHash} ${code}`;

export type CodeSent = Readonly<{ channel: "email" | "sms"; to: string }>;

const wrong = (message: string) => invalidField("code", message);

/** Makes the code of one party and replaces an older one. The caller sends it. Throws 409 for a signed party or a contract that is not open. */
export async function issueSigningCode(
  tx: Tx,
  keys: Keys,
  issue: { bookingId: string; side: ContractSide; sent: CodeSent; origin: RequestOrigin; now: Date },
): Promise<{ code: string; expires_at: Date }> {
  const { bookingId, side, sent, origin, now } = issue;
  const contract = await requireUnsigned(tx, { bookingId, side, documentHash: null, now });
  const documentHash = contract.document_hash ?? "";
  const code = String(randomInt(0, 10 ** signingCode.digits)).padStart(signingCode.digits, "0");
  const expires_at = new Date(now.getTime() + signingCode.minutes * minuteMs);
  await replaceCode(tx, {
    contract_id: contract.id,
    side,
    code_hash: keys.hmac(purpose, textOf({ contractId: contract.id, side, documentHash }, code)),
    channel: sent.channel,
    sent_to: sent.to,
    created_at: now,
    expires_at,
  });
  await appendEvidence(tx, contract, { kind: "code_sent", side, at: now, ...origin, details: sent });
  return { code, expires_at };
}

/** Consumes a party's code, with an entry of evidence. Throws 400 for a wrong, missing, used or expired one. The try was counted before. */
export async function consumeSigningCode(
  tx: Tx,
  keys: Keys,
  typed: {
    bookingId: string;
    side: ContractSide;
    documentHash: string;
    code: string;
    origin: RequestOrigin;
    now: Date;
  },
): Promise<void> {
  const { bookingId, side, documentHash, code, origin, now } = typed;
  const contract = await requireUnsigned(tx, { bookingId, side, documentHash, now });
  const known = await findCode(tx, contract.id, side);
  if (!known) throw wrong("We have not sent a code for this signature. Request one.");
  if (known.expires_at <= now) throw wrong("This code has expired. Request a new one.");
  if (known.tries > signingCode.tries) throw wrong("Too many wrong codes. Request a new one.");
  const text = textOf({ contractId: contract.id, side, documentHash }, code);
  if (!keys.hmacs(purpose, text).some((one) => timingSafeEqual(one, known.code_hash)))
    throw wrong("This is not the code that was sent. Check it and try again.");
  await deleteCode(tx, contract.id, side);
  await appendEvidence(tx, contract, {
    kind: "code_verified",
    side,
    at: now,
    ...origin,
    details: { channel: known.channel, to: known.sent_to },
  });
}

/** Returns where the valid code was sent, and when it expires. Null if a party has none. */
export async function signingCodeOf(
  reader: Reader,
  contractId: string,
  side: ContractSide,
  now: Date,
): Promise<(CodeSent & { expires_at: Date }) | null> {
  const known = await findCode(reader, contractId, side);
  if (!known || known.expires_at <= now || known.tries >= signingCode.tries) return null;
  return { channel: known.channel === "sms" ? "sms" : "email", to: known.sent_to, expires_at: known.expires_at };
}

export function shownAddress(target: string): string {
  const at = target.lastIndexOf("@");
  return at < 0 ? `…${target.slice(-2)}` : `${target.slice(0, Math.min(2, at - 1))}…${target.slice(at)}`;
}
