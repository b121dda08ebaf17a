/** Signing and declining a booking's contract. The booking is locked first, and its status changes in the same transaction. */

import { agreementText } from "#contracts/agreements-for-bookings.ts";
import { documentKindsOf } from "#contracts/copies-for-bookings.ts";
import { contractOf, documentOf } from "#contracts/index.ts";
import { type ContractSide, signingCode } from "#contracts/rules.ts";
import {
  type RequestOrigin,
  type SigningMethod,
  bookingOfContract,
  declineContract,
  findContract,
  findSignerLink,
  recordOpened,
  signContract,
  consumeSigningCode,
  countCodeTry,
  issueSigningCode,
  shownAddress,
  signingCodeOf,
} from "#contracts/signing-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import { enqueueMessage } from "#notifications/index.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { notFound, Problem, conflict, invalidField } from "#platform/errors.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { promoterSettings, platformSettings } from "#settings/index.ts";
import { broadcastBookingChange } from "../../change-notifications.ts";
import { emailContextOf } from "../../emails/email-context.ts";
import { codeRecipient } from "../../emails/notify-party.ts";
import { applyBookingChange } from "../../lifecycle/transitions.ts";
import { type Caller, ownsBooking, relationTo } from "../../policy.ts";
import type { EndedLink } from "../../rules/ended-link.rules.ts";
import { type Booking, findBooking, lockBooking } from "../../store.ts";
import { artistOfBooking } from "../../views.ts";
import { notifyFirstSignature } from "../contract-emails.ts";
import { endDeclined } from "../contract-end.ts";
import { isSignedByFormerOwner } from "../former-owner.views.ts";
import { refreshContract } from "../provider/sync.ts";
import { ensureDocument } from "../sending.ts";

export type SigningParty = Readonly<{ bookingId: string; side: ContractSide; via: SigningMethod; link?: string }>;

const unknownLink = () => notFound("This link has expired. Look for a newer link in your email.");

/** Returns the party of a link token, or of a contract or booking id with a session or verified booking key. Throws not found (404), or gone (410) with the reason for a used or expired link. */
export async function requireParty(services: Payments, key: string, caller: Caller): Promise<SigningParty> {
  const { db } = services.database;
  const bookingId = (await bookingOfContract(db, key)) ?? (await findBooking(db, key))?.id;
  if (bookingId === undefined) {
    const link = await findSignerLink(db, key, services.clock.now());
    if (!link) throw unknownLink();
    if (link.state !== "open") throw await endedLinkProblem(db, link);
    return { bookingId: link.bookingId, side: link.side, via: "link", link: key };
  }
  const booking = await findBooking(db, bookingId);
  const artist = booking && (await artistOfBooking(db, booking));
  if (!booking || !artist) throw unknownLink();
  const relation = relationTo(caller, booking, artist);
  const sides: ContractSide[] = [
    ...(relation.promoter && !relation.mailboxUnverified ? (["promoter"] as const) : []),
    ...(relation.artist ? (["artist"] as const) : []),
  ];
  const signers = (await contractOf(db, bookingId))?.signers ?? [];
  const open = sides.find((side) => !signers.find((one) => one.side === side)?.signed_at);
  const side = open ?? sides[0];
  if (!side) throw unknownLink();
  return { bookingId, side, via: side === "promoter" && !ownsBooking(caller, booking) ? "mailbox" : "session" };
}

type SignerLink = NonNullable<Awaited<ReturnType<typeof findSignerLink>>>;

async function endedLinkProblem(reader: Reader, link: SignerLink): Promise<Problem> {
  const booking = await findBooking(reader, link.bookingId);
  if (!booking) return unknownLink();
  const contract = await contractOf(reader, booking.id);
  const signer = contract?.signers.find((one) => one.side === link.side);
  const gone = (end: EndedLink["end"], message: string) =>
    new Problem("gone", message, { data: { booking_id: booking.id, side: link.side, end } satisfies EndedLink });
  const at = (moment: Date) => formatInstant(moment, booking.time_zone);
  if (booking.canceled_at !== null)
    return gone("canceled", describeCanceled(booking, link.side, at(booking.canceled_at)));
  if (signer?.signed_at && signer.method === "attested")
    return gone(
      "attested",
      `This link is no longer needed. On ${at(signer.signed_at)} an admin recorded that both of you signed this contract on paper. If this is wrong, object on the page of the booking.`,
    );
  if (signer?.signed_at)
    return gone("signed", "This link has been used: you have signed this contract. Your copy stays with the booking.");
  if (link.state === "expired")
    return gone(
      "expired",
      `The time to sign ended on ${at(link.expiresAt)}, when the show began. Open the booking to see its status.`,
    );
  return gone("used", "This link has been used. The contract can no longer be signed with it.");
}

function describeCanceled({ cancel_code: code, canceled_by: by }: Booking, side: ContractSide, at: string): string {
  const closing = "The contract can no longer be signed.";
  if (code === "contract_declined")
    return `${by === side ? "You" : `The ${by}`} declined this contract on ${at}, and the booking is canceled. ${closing}`;
  if (code === "contract_expired")
    return `This contract was not signed in time, and the booking was canceled on ${at}. ${closing}`;
  return `The booking was canceled on ${at}. ${closing}`;
}

/** Returns a party's view of the contract. The first opening of an open contract is recorded in its evidence. Without an origin it only reads. `isByFormerOwner`: a former owner of the viewer's profile signed. */
export async function openSigning(services: Payments, party: SigningParty, origin: RequestOrigin | null) {
  const { database, clock } = services;
  if (origin) {
    await ensureDocument(services, party.bookingId);
    await refreshContract(services, party.bookingId);
  }
  const booking = await findBooking(database.db, party.bookingId);
  if (!booking) throw unknownLink();
  if (origin && booking.status === "contract_sent")
    await database.transaction(async (tx) => {
      await lockBooking(tx, booking.id);
      await recordOpened(tx, booking.id, { side: party.side, via: party.via, origin, now: clock.now() });
    });
  const contract = await contractOf(database.db, booking.id);
  if (!contract) throw unknownLink();
  const isByFormerOwner = party.side === "artist" && (await isSignedByFormerOwner(database.db, contract.id));
  return {
    booking,
    artist: await artistOfBooking(database.db, booking),
    contract,
    isByFormerOwner,
    document: await shownDocument(database.db, booking, { contractId: contract.id, isByFormerOwner }),
  };
}

/** Returns the document to sign. `promoterEmail` is the one in it, `bytes` is the file size. `text` is null if it does not match the stored file. `is_signed`: this party may also open the signed copy. */
async function shownDocument(
  reader: Reader,
  booking: Booking,
  { contractId, isByFormerOwner }: Readonly<{ contractId: string; isByFormerOwner: boolean }>,
) {
  const [file, contract, kinds] = await Promise.all([
    documentOf(reader, contractId, ["agreement"]),
    findContract(reader, booking.id),
    documentKindsOf(reader, contractId),
  ]);
  if (!file || !contract) return null;
  return {
    sha256: file.sha256.toString("hex"),
    promoterEmail: contract.terms.promoter.email,
    is_signed: kinds.includes("sealed") && !isByFormerOwner,
    pages: file.pages,
    bytes: file.bytes.length,
    text: await agreementText(reader, contractId),
  };
}

type SigningRequest = Readonly<{ party: SigningParty; documentHash: string; origin: RequestOrigin }>;

export async function sign(
  tx: Tx,
  services: Payments,
  request: SigningRequest & { name: string; drawing: string | null; clicked?: boolean },
): Promise<{ complete: boolean }> {
  const now = services.clock.now();
  const { party } = request;
  const booking = await lockForParty(tx, party, now);
  const { complete } = await signContract(tx, booking.id, { ...request, side: party.side, via: party.via }, now);
  if (complete) await applyBookingChange(tx, booking, {}, { by: party.side, cause: "contract_signed", now });
  else await notifyFirstSignature(tx, services, { bookingId: booking.id, by: party.side });
  await broadcastBookingChange(tx, booking.id);
  return { complete };
}

/** Declines for a party: contract, booking and refund end in one transaction. If the artist declines, everything is refunded. */
export async function decline(tx: Tx, services: Payments, request: SigningRequest & { reason: string }) {
  const now = services.clock.now();
  const { party, reason } = request;
  const booking = await lockForParty(tx, party, now);
  await declineContract(tx, booking.id, { ...request, side: party.side, via: party.via }, now);
  const { refund } = await endDeclined(tx, booking, { side: party.side, reason, now });
  return { refund, currency: booking.currency };
}

/** Locks the booking that a party signs or declines. Throws gone (410) if the party's link has ended since. */
async function lockForParty(tx: Tx, party: SigningParty, now: Date): Promise<Booking> {
  const booking = await requireOpenBooking(tx, party.bookingId);
  const link = party.link === undefined ? undefined : await findSignerLink(tx, party.link, now);
  if (link && link.state !== "open") throw await endedLinkProblem(tx, link);
  return booking;
}

/** Locks the booking of a contract action. Throws a conflict (409) if it is canceled. */
export async function requireOpenBooking(tx: Tx, id: string): Promise<Booking> {
  const booking = await lockBooking(tx, id);
  if (!booking) throw unknownLink();
  if (booking.status === "canceled")
    throw conflict("This booking is canceled. Its contract can no longer be signed.", {
      data: { status: booking.status, version: booking.version },
    });
  return booking;
}

/** Returns true if this party may accept by click. Artists, guests and all parties on a platform with signing codes must sign. */
export async function mayAcceptByClick(
  reader: Reader,
  booking: Pick<Booking, "promoter_user_id">,
  side: "promoter" | "artist",
): Promise<boolean> {
  if (side !== "promoter" || booking.promoter_user_id === null || (await isCodeRequired(reader))) return false;
  return !(await promoterSettings(reader, booking.promoter_user_id)).requireContractSigning;
}

/** Accepts for the promoter, over the fingerprint of the displayed document. Throws a conflict (409) if the party must sign. */
export async function acceptByClick(tx: Tx, services: Payments, request: SigningRequest): Promise<void> {
  const { bookingId, side } = request.party;
  const booking = await requireOpenBooking(tx, bookingId);
  if (!(await mayAcceptByClick(tx, booking, side)))
    throw conflict("This contract requires a signature. Reload the page and sign it.");
  const name = (await contractOf(tx, bookingId))?.signers.find((one) => one.side === side)?.name ?? "";
  await sign(tx, services, { ...request, name, drawing: null, clicked: true });
}

/** The limits per signature and hour on sent and typed codes. With five tries per code a guess of one in a million is improbable. */
const codesPerHour = 5;
const triesPerHour = 15;
const hour = 3_600;

const isCodeRequired = async (reader: Reader): Promise<boolean> => (await platformSettings(reader)).requireSigningCode;

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
