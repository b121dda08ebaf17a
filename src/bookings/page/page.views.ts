import type { HoldsOfBooking } from "#calendar/api.ts";
import { heldUntil } from "#calendar/checkout-hold.rules.ts";
import { holdsOfBooking } from "#calendar/holds/index.ts";
import { busyElsewhere } from "#calendar/import/index.ts";
import { type DateRequester, liveHold } from "#calendar/index.ts";
import { type Attestation, attestationOf, contractOf, type ContractSummary } from "#contracts/index.ts";
import { withdrawalEffect } from "#contracts/rules.ts";
import { paymentsOf } from "#payments/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { automaticPaymentForPage } from "../balance/automatic-payment.ts";
import { balanceOf, withoutDeadlines } from "../balance/balance.views.ts";
import type { BookingPage } from "../booking.api.ts";
import { completionBlockOf, promoterObjects } from "../conditions/completion.views.ts";
import { forceMajeureOf, sideOf } from "../force-majeure/force-majeure.views.ts";
import { listingOf } from "../listing/listing.ts";
import { isOnlyArtist, mayCorrectEmail, viewerOf } from "../policy.ts";
import { isAwaitingResponse } from "../rules/acceptance.rules.ts";
import { deadlinesOf, objectionEndBefore } from "../rules/deadlines.rules.ts";
import { unpayableBalance, type Relation } from "../rules/permissions.rules.ts";
import type { Booking } from "../store.ts";
import { proposalsOf } from "../stores/force-majeure.store.ts";
import { findNoShow, noShowStateOf } from "../stores/no-show.store.ts";
import { type BookedArtist, fieldsForArtist, decideBookingDate, toBookingResponse, type Reading } from "../views.ts";
import { moneyOf } from "./money.views.ts";
import { timelineOf } from "./timeline.views.ts";

/** Returns the page of a booking for a permitted viewer. `isOwner` is true in the session of the account that owns it. */
export async function readBookingPage(
  reader: Reader,
  booking: Booking,
  artist: BookedArtist,
  reading: Reading & { isOwner: boolean; requester: DateRequester },
): Promise<BookingPage> {
  const { relation, now } = reading;
  const [contract, paid, hold, planned, report, proposals, block, objects, holds, [busy = null]] = await Promise.all([
    contractOf(reader, booking.id),
    paymentsOf(reader, [booking.id]),
    liveHold(reader, booking.id, now),
    balanceOf(reader, booking, reading),
    findNoShow(reader, booking.id),
    proposalsOf(reader, booking.id),
    booking.status === "contract_signed" ? completionBlockOf(reader, booking.id) : null,
    promoterObjects(reader, booking.id),
    holdsOfBooking(reader, booking),
    relation.artist ? busyElsewhere(reader, [booking.id]) : [],
  ]);
  const isPaused = block === "objection";
  const balance = isPaused ? withoutDeadlines(planned) : planned;
  const shown = toBookingResponse(
    booking,
    {
      artist_active: artist.is_active,
      ...contractInputOf(contract),
      held: hold !== undefined,
      balance_decision: balance.page?.artist_decides ?? false,
      no_show: noShowStateOf(report),
      no_show_stated: report?.stated_at != null,
      completion_block: block,
      promoter_objects: objects,
    },
    reading,
  );
  const unpayable = unpayableBalance(booking, reading.payments);
  const awaitsAnswer = isAwaitingResponse(booking, now);
  const decided =
    (shown.can.pay === "deposit" || awaitsAnswer) && relation.promoter
      ? await decideBookingDate(reader, booking, artist, reading.requester)
      : null;
  // Only a hold concerns a promoter who waits for the artist's answer. Bookings and blocked nights end the request.
  const date = awaitsAnswer && decided?.state !== "held" ? null : decided;
  const canBeHeld = date === null || hold !== undefined || date.state === "free";
  const [money, attestation, timeline, automatic] = await Promise.all([
    moneyOf(
      reader,
      booking,
      {
        paid,
        balance: { ...balance, mayArtistDecide: balance.page?.artist_decides ?? false, unpayable },
        signedAt: contract?.signed_at ?? null,
        block,
        promoterObjects: objects,
      },
      reading,
    ),
    contract?.signers.some(({ method }) => method === "attested") ? attestationOf(reader, contract.id) : null,
    timelineOf(reader, { booking, artist, contract, report, proposals, now }, relation),
    automaticPaymentForPage(reader, booking, reading),
  ]);
  const holdEndsAt = hold?.expires_at ? heldUntil(hold.expires_at) : null;
  const onlyArtist = isOnlyArtist(relation);
  return {
    ...shown,
    can: canBeHeld ? shown.can : { ...shown.can, pay: null },
    ...(onlyArtist ? fieldsForArtist(booking, reading) : {}),
    viewer: viewerOf(relation, reading.isOwner),
    mailbox_unverified: relation.mailboxUnverified ?? false,
    has_account: booking.promoter_user_id !== null && !onlyArtist,
    can_correct_email: mayCorrectEmail(relation, booking, contract),
    listing: listingOf(booking, relation, now),
    artist: { ...artist, has_page: artist.is_active && artist.is_public },
    money,
    contract: contract && {
      ...contract,
      attestation: attestation && {
        ...attestation,
        objection_end: objectionEndBefore(attestation.objection_end, booking, { now, block }),
        can_object: booking.status === "contract_signed" && mayObject(attestation, relation, now),
        withdrawal: withdrawalEffect(booking.starts_at, contract.service !== null, now),
      },
    },
    date: hold === undefined && date ? { ...date, from: date.from ?? null } : null,
    busy_elsewhere: busy,
    no_show: report ?? null,
    force_majeure: forceMajeureOf(booking, { proposals, held: money.held_cents }, reading),
    hold: holdEndsAt && { expires_at: holdEndsAt },
    holds: relation.artist || relation.admin ? holds : ownHoldOf(holds),
    balance: balance.page,
    balance_unpayable: unpayable,
    completion_block: block,
    automatic_payment: automatic,
    deadlines: deadlinesOf(
      {
        ...booking,
        holdEndsAt,
        signingEndsAt: contract?.expires_at ?? null,
        balanceOpen: booking.balance_cents > 0 && booking.balance_paid_at === null && unpayable === null && !isPaused,
        balanceDueAt: balance.dueAt,
        balanceOverdueAt: balance.overdueAt,
        decisionAt: balance.decisionAt,
        isBlocked: block !== null,
      },
      now,
    ),
    timeline,
  };
}

export const contractInputOf = (contract: ContractSummary | null) => ({
  contract_status: contract?.status ?? null,
  signed_sides: (contract?.signers ?? []).filter((one) => one.signed_at !== null).map((one) => one.side),
  first_signer: contract?.first_signer ?? null,
});

const ownHoldOf = (holds: HoldsOfBooking | null): HoldsOfBooking | null =>
  holds?.from ? { ...holds, from: { ...holds.from, ended_others: 0 }, queue: [] } : null;

function mayObject({ objection_end: objectionEnd, objections }: Attestation, relation: Relation, now: Date): boolean {
  const side = sideOf(relation);
  return side !== undefined && now < objectionEnd && !objections.some((one) => one.side === side);
}
