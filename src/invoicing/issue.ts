import { randomUUID } from "node:crypto";
import { enqueueMessage } from "#notifications/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { errorMessage } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { broadcastChange } from "#realtime/index.ts";
import { platformOwner, withDefaults } from "#settings/rules.ts";
import { composeDocument, correctedCause, creditNoteCause, payoutCause } from "./compose.ts";
import type { Draft, DuePosting, Original, Seller } from "./draft.ts";
import { lockNumbering } from "./numbering.store.ts";
import { taxOf } from "./rules.ts";
import { claimDue, insertDocuments, markFailed, markWaiting, type NewDocument, removeDue } from "./store.ts";
import { accountsOf, originalsOf, postingsOf, storedSettingsOf } from "./views.ts";

const platformName = "Stagedoor";
/** Fresh and past postings per transaction, each. Few enough that requests of an embedded database are not delayed. */
const batchSize = 25;

type Issued = { issued: number; settled: number };

/** Issues one batch. If it fails, its postings are processed one by one, so a faulty one delays no other. */
export async function issueNext(services: PlatformServices): Promise<Issued> {
  const { database, clock, log } = services;
  try {
    return await database.transaction((tx) => issueBatch(tx, clock.now(), batchSize));
  } catch (error) {
    log.warn({ err: error }, "a batch of documents could not be issued; its postings are processed one by one");
    return issueOneByOne(services);
  }
}

async function issueOneByOne({ database, clock, log }: PlatformServices): Promise<Issued> {
  const now = clock.now();
  const sum: Issued = { issued: 0, settled: 0 };
  for (const groupId of await database.transaction((tx) => claimDue(tx, now, batchSize)))
    try {
      const { issued, settled: done } = await database.transaction((tx) => issueBatch(tx, now, 1, groupId));
      sum.issued += issued;
      sum.settled += done;
    } catch (error) {
      log.error({ err: error, groupId }, "the document of a posting could not be issued");
      const reason = errorMessage(error);
      await database.transaction((tx) => markFailed(tx, groupId, reason, now));
      sum.settled += 1;
    }
  return sum;
}

/** Issues the documents of one batch in the caller's transaction. `only`: of one posting. */
export async function issueBatch(tx: Tx, now: Date, limit: number, only: string | null = null): Promise<Issued> {
  const claimed = await claimDue(tx, now, limit, only);
  if (claimed.length === 0) return { issued: 0, settled: 0 };
  const postings = await postingsOf(tx, claimed);
  // Locked before the documents are composed, so earlier credits of a document are committed and read below.
  const numbering = await lockNumbering(tx, [null, ...postings.map((posting) => posting.booking.artistId)]);
  const issued = await originalsOf(tx, postings.flatMap(causesOf));
  const around = { now, ...(await sellersAround(tx, postings)), find: (cause: string) => issued.get(cause) };
  const documents: NewDocument[] = [];
  const sent: { posting: DuePosting; document: NewDocument }[] = [];
  const done: string[] = [];
  const waiting: string[] = [];
  for (const posting of postings) {
    const composed = composeDocument(posting, around);
    if (composed === "wait") {
      waiting.push(posting.groupId);
      continue;
    }
    done.push(posting.groupId);
    for (const draft of composed === "nothing" ? [] : [composed].flat()) {
      if (issued.has(draft.causeKey)) continue;
      const document = { ...draft, id: randomUUID(), ...numbering(draft.sellerArtistId) };
      documents.push(document);
      // The platform's own documents are about its commission, and the artist's.
      if (posting.payment?.payer && document.sellerArtistId !== null) sent.push({ posting, document });
      issued.set(draft.causeKey, originalOf(document));
      countCredit(issued, document, correctedCause(posting));
    }
  }
  await insertDocuments(tx, documents, now);
  for (const { posting, document } of sent) await sendToPayer(tx, posting, document);
  await removeDue(tx, done);
  await markWaiting(tx, waiting, now);
  if (documents.length > 0) {
    const userIds = await accountsOf(tx, [...new Set(documents.map((one) => one.bookingId))]);
    await broadcastChange(tx, "money", { userIds, admins: true });
  }
  return { issued: documents.length, settled: done.length };
}

async function sendToPayer(tx: Tx, posting: DuePosting, document: NewDocument): Promise<void> {
  const { booking, payment, currency } = posting;
  const payer = payment?.payer;
  const about = aboutDocument(posting, document);
  if (!payer || !about) return;
  await enqueueMessage(tx, {
    template: "payer_document",
    channel: "email",
    to: payer.email,
    params: {
      number: booking.number,
      name: payer.name,
      ...about,
      document: document.number,
      paid: { amount: Math.abs(document.gross), currency },
      artistName: booking.artistName,
      promoterName: booking.promoterName,
      eventDate: booking.eventDate,
      venueName: booking.venue,
    },
    refId: booking.id,
    dedupeKey: `document ${document.id}`,
    attachment: { kind: "document", id: document.id, name: `${document.number}.pdf` },
  });
}

/** Returns what the email to the payer states about a document. The cause of a refund's posting is `refund:{id}:{step}`. */
function aboutDocument({ cause }: DuePosting, { kind }: NewDocument) {
  const step = cause.split(":")[2];
  switch (kind) {
    case "receipt":
      return { kind };
    case "credit_note":
      return { kind, byDispute: step === "covered", paidOutside: step === "outside" };
    case "correction":
      return { kind, isDueAgain: step === "reopened" || step === "part_reopened" };
    default:
      return undefined;
  }
}

const causesOf = (posting: DuePosting): string[] => [
  posting.cause,
  creditNoteCause(posting),
  `release:${posting.booking.id}`,
  ...posting.laterInvoices,
  ...(posting.payment ? [posting.payment.chargeCause] : []),
  ...(posting.payout ? [payoutCause(posting.payout)] : []),
];

async function sellersAround(tx: Tx, postings: readonly DuePosting[]) {
  const stored = await storedSettingsOf(tx, [platformOwner, ...postings.map(({ booking }) => booking.artistId)]);
  const platformOf = ({ postedAt }: DuePosting): Seller => {
    const settings = withDefaults("platform", stored.get(platformOwner), postedAt);
    const { legalName, legalAddress: address, taxId, supportEmail: email } = settings;
    return {
      party: { name: platformName, legalName, address, taxId, email },
      tax: taxOf(settings, settings.pricesIncludeTax),
    };
  };
  const artistOf = ({ postedAt, booking }: DuePosting): Seller => {
    const settings = withDefaults("artist", stored.get(booking.artistId), postedAt);
    const { legalName, legalAddress: address, taxId } = settings;
    return {
      party: { name: booking.artistName, legalName, address, taxId, email: "" },
      tax: taxOf(settings, true),
    };
  };
  const { timeZone } = withDefaults("platform", stored.get(platformOwner));
  return { timeZone, platformOf, artistOf };
}

const originalOf = ({ sellerArtistId, buyerArtistId, buyerEmail, details, ...own }: NewDocument): Original => {
  const { id, number, kind, gross, tax, taxLabel, taxBps } = own;
  const { issuedOn, seller, buyer, collectedBy } = details;
  const parties = { seller, buyer, collectedBy };
  const sides = { sellerArtistId, buyerArtistId, buyerEmail };
  return { id, number, kind, gross, tax, taxLabel, taxBps, issuedOn, parties, sides, credited: 0, creditedTax: 0 };
};

/** Counts a credit for later notes of the same batch. A correction restores the credited sum of the document with this cause. */
function countCredit(issued: Map<string, Original>, { kind, gross, tax, correctsId }: Draft, corrected: string): void {
  for (const [cause, original] of issued)
    if (kind === "correction" ? cause === corrected : original.id === correctsId)
      issued.set(cause, { ...original, credited: original.credited - gross, creditedTax: original.creditedTax - tax });
}
