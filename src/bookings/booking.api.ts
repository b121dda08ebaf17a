/** Booking responses: in a list, for the artist, and the whole page. Amounts are cents. */

import { z } from "zod";
import { busyElsewhere, holdsOfBooking } from "#calendar/api.ts";
import { withdrawalEffects } from "#contracts/rules.ts";
import { paymentKinds } from "#payments/rules.ts";
import { payoutStatuses, payoutWaits } from "#payouts/payouts.rules.ts";
import { attestationReply } from "./attestation.api.ts";
import { payout } from "./payout.api.ts";
import { completionBlocks } from "./rules/completion.rules.ts";
import { deadlineKinds } from "./rules/deadlines.rules.ts";
import { bookingStatusNames, cancelCodes, cancelers } from "./rules/flow.rules.ts";
import { heldByKinds, nextSteps } from "./rules/money/money-parts.rules.ts";
import { unpayableReasons } from "./rules/permissions.rules.ts";
import { timelineEntry } from "./timeline.api.ts";

/** The viewer's possible actions. rules/permissions.rules.ts enforces them, and screens show a button only if its entry is true. */
export const permissions = z.object({
  pay: z.enum(["deposit", "balance"]).nullable(),
  /** Another browser sent the request in this account's name. POST /bookings/{id}/confirm-request confirms or withdraws it. */
  confirm_request: z.boolean(),
  release_own_hold: z.boolean(),
  release: z.boolean(),
  /** The artist may accept or decline a request without a deposit: POST /artist/bookings/{id}/accept and /decline. */
  answer: z.boolean(),
  sign: z.boolean(),
  mark_signed: z.boolean(),
  /** The artist may create a payment link for the balance. It can be paid once the contract is signed. */
  create_balance_link: z.boolean(),
  decide_balance: z.boolean(),
  complete: z.boolean(),
  cancel: z.boolean(),
  report_no_show: z.boolean(),
  /** The artist may state their side of an open report: POST /artist/bookings/{id}/no-show-statement. */
  state_no_show: z.boolean(),
  decide_no_show: z.boolean(),
});

export const booking = z.object({
  id: z.uuid(),
  number: z.string().describe("The booking number: SD- and six characters"),
  artist_id: z.uuid(),
  promoter_name: z.string(),
  promoter_email: z.string(),
  promoter_phone: z.string(),
  event_date: z.iso.date(),
  event_time: z.string(),
  event_type: z.string(),
  guest_count: z.int().nullable(),
  duration: z.string().nullable(),
  duration_minutes: z.int(),
  special_requests: z.string().nullable(),
  venue_name: z.string(),
  venue_address: z.string(),
  time_zone: z.string(),
  starts_at: z.date(),
  ends_at: z.date(),
  status: z.enum(bookingStatusNames),
  fee_cents: z.int(),
  currency: z.string(),
  deposit_percent: z.int(),
  deposit_cents: z.int(),
  balance_cents: z.int(),
  policy_name: z.string(),
  balance_paid: z.boolean(),
  needs_confirmation: z
    .boolean()
    .describe("Sent by another browser in an account's name; the account must confirm it first"),
  answer_due_at: z
    .date()
    .nullable()
    .describe("The deadline for the artist to accept a request without a deposit; null if a deposit books the date"),
  answered_by_email: z
    .boolean()
    .describe("True for an open request that cannot be paid or accepted on the site. The artist answers it by email"),
  canceled_at: z.date().nullable(),
  canceled_by: z.enum(cancelers).nullable(),
  cancel_code: z.enum(cancelCodes).nullable(),
  cancel_note: z.string().nullable().describe("The note of the user who canceled"),
  version: z.int(),
  created_at: z.date(),
  can: permissions,
});
export type BookingReply = z.infer<typeof booking>;

export const artistOf = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  genre: z.string(),
  location: z.string(),
});
export const paymentOf = z.object({
  kind: z.enum(["deposit", "balance"]),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
});

export const declined = z
  .boolean()
  .describe(
    "The payer's bank declined the payment, and nothing was paid since. A `failed` payment that is not declined was released or expired",
  );

/** `refunded_cents` includes refunds in progress and excludes failed ones, and what a bank took in their place. */
const listedPayment = paymentOf.extend({
  refunded_cents: z.int(),
  refunding_cents: z.int().describe("The part of the refunds that has not reached the payer yet"),
  disputed_cents: z.int().describe("The amount that the payer's bank took back in a lost dispute, besides refunds"),
});

const deadline = z.object({ kind: z.enum(deadlineKinds), at: z.date() });

export const listedBooking = booking.extend({
  artist: artistOf,
  payments: z.array(listedPayment),
  contract_status: z.enum(["draft", "sent", "signed", "declined"]).nullable(),
  act_due: deadline
    .nullable()
    .describe("The deadline of the next action in `can`; null if no action advances the booking"),
});
export type ListedBooking = z.infer<typeof listedBooking>;

/** The artist's view. Contact details appear once both have signed, or of a request to answer by email, and `hold` while a promoter is at the checkout. */
export const artistBooking = listedBooking.extend({
  promoter_email: z.string().nullable(),
  promoter_phone: z.string().nullable(),
  hold: z.object({ expires_at: z.date() }).nullable(),
  busy_elsewhere: busyElsewhere,
  payout_status: z.enum(payoutStatuses).nullable().describe("Null before the money is released to the artist"),
});
export type ArtistBooking = z.infer<typeof artistBooking>;

const movement = z.object({
  at: z.date(),
  kind: z.enum([
    "deposit",
    "balance",
    "refund",
    "refund_waiting",
    "refund_by_dispute",
    "refund_undone",
    "release",
    "dispute_withdrawn",
    "dispute_reinstated",
    "dispute_lost",
    "dispute_regained",
  ]),
  amount_cents: z.int().describe("Negative for an outgoing amount"),
  held_after_cents: z.int().describe("Less the amount that the payer's bank took of it; never below 0"),
});

const moneyPart = z.object({
  held_by: z.enum(heldByKinds),
  part: z.enum(paymentKinds).nullable(),
  cents: z.int(),
  since: z.date().nullable(),
  until: z.date().nullable().describe("The latest time of `next`; null if it is unknown or there is no next step"),
  next: z.enum(nextSteps),
  artist_cents: z.int().nullable().describe("The artist's share of held money; for the artist and admins"),
  payout: z.object({ status: z.enum(payoutStatuses), waits_for: z.enum(payoutWaits).nullable() }).nullable(),
});

export const automaticPayment = z.object({
  state: z.enum(["planned", "charging"]),
  amount_cents: z.int(),
  card: z.string().describe("Brand and last digits, such as Visa ···4242"),
  card_ends: z.string().describe("The expiry date of the card, MM/YYYY"),
  charge: z
    .object({ day: z.iso.date(), time: z.string() })
    .nullable()
    .describe("The day of the charge, in the time zone of the event; null: as soon as both have signed"),
  can_withdraw: z.boolean(),
});

export const listing = z.object({
  state: z
    .enum(["off", "listed", "taken_off"])
    .describe("`taken_off`: the promoter took it off, and it cannot be listed again"),
  show: z
    .object({ date: z.iso.date(), town: z.string(), venue: z.string().nullable() })
    .describe("What the artist's public profile shows of the booking"),
});

/** The page of a booking. Callers without access get not found (404). The artist gets `promoter_email` and `promoter_phone` only once the contract is signed. */
export const bookingPage = booking.extend({
  ...artistBooking.pick({ promoter_email: true, promoter_phone: true, hold: true, busy_elsewhere: true }).shape,
  /** The viewer's role. `guest` is the promoter with the browser's cookie or a signed link, without the account. */
  viewer: z.enum(["promoter", "guest", "artist", "admin"]),
  mailbox_unverified: z.boolean(),
  /** True if an account owns the request. Signed links of emails then no longer open it. */
  has_account: z.boolean().describe("The promoter has an account; false for the artist, to whom it is not disclosed"),
  /** The address of a guest's request can be corrected, because no link of an email to it was opened. */
  can_correct_email: z.boolean(),
  listing: listing
    .nullable()
    .describe("For the artist of a confirmed public show, and for the promoter while it is listed"),
  artist: artistOf.extend({ has_page: z.boolean().describe("False: the artist's page is hidden or inactive") }),
  money: z.object({
    fee_cents: z.int(),
    deposit_cents: z.int(),
    balance_cents: z.int(),
    paid_cents: z.int().describe("Payments that succeeded"),
    refunded_cents: z.int().describe("The refunded part of the payments"),
    kept_cents: z
      .int()
      .describe("Payments less refunds, also those on their way, and what the payer's bank took in lost disputes"),
    outstanding_cents: z.int().describe("Still to be paid; 0 once canceled"),
    balance_due: z.iso.date().nullable().describe("Null: due as soon as both have signed, or the day has passed"),
    commission_bps: z.int().nullable().describe("In basis points; for the artist and admins"),
    commission_cents: z
      .int()
      .nullable()
      .describe(
        "The platform's share of the release, or before it of the fee less refunds and lost disputes; for the artist and admins",
      ),
    net_cents: z.int().nullable().describe("The artist's share of the same sum; for the artist and admins"),
    held_cents: z.int().describe("Held by the platform now, from the ledger"),
    returning_cents: z.int().describe("Refunds that the platform has sent and the provider has not confirmed"),
    released_cents: z.int().describe("Released after the show, to the artist and the platform"),
    artist_cents: z.int().nullable().describe("The artist's share of the released money; for the artist and admins"),
    platform_loss_cents: z.int().nullable().describe("Lost in disputes beyond the price; for admins"),
    provider_fees: z
      .array(z.object({ amount_cents: z.int(), currency: z.string() }))
      .nullable()
      .describe("The payment provider's fees for payments and disputes, in the currencies of its account; for admins"),
    parts: z.array(moneyPart),
    dispute: z
      .object({
        open_cents: z.int().describe("The amount of open disputes and of inquiries by the payer's bank"),
        withheld_cents: z.int().describe("What the bank has withdrawn in open disputes"),
        lost_cents: z
          .int()
          .describe("What the bank took back in lost disputes and has not returned, as in the payments lists"),
      })
      .nullable()
      .describe("Null without an open or lost dispute of a payment"),
    /** The refund if the promoter cancels now, and the end of that amount's validity. Null if nothing is held or canceling is over. */
    if_canceled: z.object({ refund_cents: z.int(), until: z.date().nullable() }).nullable(),
    payout,
    movements: z.array(movement),
    payments: z.array(
      paymentOf.extend({ id: z.uuid(), declined, payment_date: z.date().nullable(), refunded_cents: z.int() }),
    ),
  }),
  contract: z
    .object({
      id: z.uuid(),
      status: z.enum(["draft", "sent", "signed", "declined"]),
      sent_at: z.date().nullable(),
      signed_at: z.date().nullable(),
      expires_at: z.date().nullable(),
      first_signer: z
        .enum(["promoter", "artist"])
        .nullable()
        .describe("Set by the template; null: either may sign first"),
      signers: z.array(
        z.object({
          side: z.enum(["promoter", "artist"]),
          name: z.string(),
          signed_at: z.date().nullable(),
          method: z.string().nullable(),
        }),
      ),
      attestation: attestationReply
        .extend({
          can_object: z.boolean(),
          withdrawal: z
            .enum(withdrawalEffects)
            .describe(
              "What it does now if an admin withdraws the signature: the contract is signed again, everything is refunded, or an admin divides the held money",
            ),
        })
        .nullable(),
    })
    .nullable(),
  /** For the promoter of an unpaid request: whether the date can be held and paid now, and `from`, when that may change. For a request that waits for the artist's answer: another promoter's hold. Null otherwise. */
  date: z.object({ state: z.string(), message: z.string(), from: z.date().nullable() }).nullable(),
  no_show: z
    .object({
      reported_at: z.date(),
      note: z.string(),
      stated_at: z.date().nullable(),
      statement: z.string().nullable().describe("The artist's side"),
      decided_at: z.date().nullable(),
      decision: z.string().nullable(),
      released_cents: z.int().nullable().describe("The released part of the held money, before the commission"),
      refunded_cents: z.int().nullable(),
    })
    .nullable(),
  force_majeure: z
    .object({
      can_propose: z.boolean(),
      paid_cents: z.int().describe("The amount to divide"),
      commission_bps: z.int().nullable().describe("The rate on the artist's share; for the artist and admins"),
      proposal: z
        .object({
          id: z.uuid(),
          by: z.enum(["promoter", "artist"]),
          reason: z.string(),
          refund_cents: z.int(),
          artist_keeps_cents: z.int().describe("Before the commission for the promoter, otherwise after it"),
          commission_cents: z.int().nullable(),
          expires_at: z.date(),
          outdated: z
            .boolean()
            .describe(
              "A payment arrived that the proposal does not include; the proposal can only be refused or withdrawn",
            ),
          can_answer: z.boolean(),
          can_withdraw: z.boolean(),
        })
        .nullable(),
    })
    .nullable(),
  holds: holdsOfBooking.nullable(),
  /** The open balance once both have signed. Null before that, after payment or after the booking's end. */
  balance: z
    .object({
      due_day: z.iso.date().nullable().describe("In the time zone of the event; null: it was due immediately"),
      due_at: z.date().describe("The end of the due day, or the time from which it is due"),
      overdue: z.boolean(),
      extended: z.boolean().describe("The artist has extended the time to pay"),
      charge_declined: z.boolean().describe("The automatic charge was declined, and is not tried again"),
      artist_decides: z.boolean().describe("The artist may extend the time or release the date"),
      extend: z
        .object({ from: z.iso.date(), to: z.iso.date() })
        .nullable()
        .describe("The days that the artist may choose; null if there are none, or if the artist cannot decide"),
    })
    .nullable(),
  balance_unpayable: z.enum(unpayableReasons).nullable(),
  completion_block: z.enum(completionBlocks).nullable(),
  automatic_payment: automaticPayment.nullable(),
  deadlines: z.array(deadline),
  timeline: z.array(timelineEntry),
});
export type BookingPage = z.infer<typeof bookingPage>;
