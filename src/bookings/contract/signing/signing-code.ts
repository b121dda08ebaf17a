import { contractOf } from "#contracts/index.ts";
import { type ContractSide, signingCode } from "#contracts/rules.ts";
import {
  type RequestOrigin,
  consumeSigningCode,
  countCodeTry,
  issueSigningCode,
  shownAddress,
  signingCodeOf,
} from "#contracts/signing-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import { enqueueMessage } from "#notifications/index.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { conflict, invalidField } from "#platform/errors.ts";
import { platformSettings } from "#settings/index.ts";
import { emailContextOf } from "../../emails/email-context.ts";
import { codeRecipient } from "../../emails/notify-party.ts";
import { requireOpenBooking, sign, type SigningParty } from "./signing.ts";

/** The limits per signature and hour on sent and typed codes. With five tries per code a guess of one in a million is improbable. */
const codesPerHour = 5;
const triesPerHour = 15;
const hour = 3_600;

export const isCodeRequired = async (reader: Reader): Promise<boolean> =>
  (await platformSettings(reader)).requireSigningCode;

export async function codeOfPage(reader: Reader, request: { contractId: string; side: ContractSide; now: Date }) {
  if (!(await isCodeRequired(reader))) return null;
  return { sent: await signingCodeOf(reader, request.contractId, request.side, request.now) };
}

/** Sends a code to the party's SMS number if it is on, otherwise to its mailbox. An earlier code becomes invalid. */
export async function sendSigningCode(services: Payments, party: SigningParty, origin: RequestOrigin) {
  const { database, keys, clock, limits } = services;
  const { bookingId, side } = party;
  await limits.hit(`signing code ${bookingId} ${side}`, codesPerHour, hour);
  const now = clock.now();
  const sent = await database.transaction(async (tx) => {
    const { number } = await requireOpenBooking(tx, bookingId);
    const context = await emailContextOf(tx, services, bookingId);
    const recipient = await codeRecipient(tx, context, side);
    if (!recipient)
      throw conflict(
        "You have no confirmed email address for the code. Confirm your email address in your settings first.",
      );
    const shown = { channel: recipient.channel, to: shownAddress(recipient.to) };
    const { code, expires_at } = await issueSigningCode(tx, keys, { bookingId, side, sent: shown, origin, now });
    await enqueueMessage(tx, {
      template: "contract_code",
      ...recipient,
      params: { code, minutes: signingCode.minutes, number },
      refId: bookingId,
    });
    return { ...shown, expires_at };
  });
  services.wake();
  return sent;
}

/** Counts the typed code in its own transaction before the comparison, because a wrong try must stay counted. */
export async function countTypedCode(services: Payments, party: SigningParty, code: string | null): Promise<void> {
  const { database, limits } = services;
  if (!(await isCodeRequired(database.db)) || code === null) return;
  await limits.hit(`signing code tries ${party.bookingId} ${party.side}`, triesPerHour, hour);
  const contract = await contractOf(database.db, party.bookingId);
  if (contract) await database.transaction((tx) => countCodeTry(tx, contract.id, party.side));
}

/** Signs for a party, with its code if required. Throws invalid input (400) at the field `code`, and then nothing is signed. */
export async function signWithCode(
  tx: Tx,
  services: Payments,
  request: Parameters<typeof sign>[2] & { code: string | null },
): Promise<void> {
  const { code, ...signature } = request;
  if (await isCodeRequired(tx)) {
    if (code === null) throw invalidField("code", "Enter the code that was sent to you.");
    const { party, documentHash, origin } = signature;
    await requireOpenBooking(tx, party.bookingId);
    const now = services.clock.now();
    await consumeSigningCode(tx, services.keys, { ...party, documentHash, origin, code, now });
  }
  await sign(tx, services, signature);
}
