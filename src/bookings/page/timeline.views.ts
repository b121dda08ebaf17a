import { sql } from "kysely";
import type { ContractSummary } from "#contracts/index.ts";
import { attemptsToPay } from "#payments/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { capitalized } from "#platform/text.rules.ts";
import { describeDay } from "#platform/time/calendar.rules.ts";
import { cancelReasonTo } from "../rules/cancel-reasons.rules.ts";
import { bookingStatuses } from "../rules/flow.rules.ts";
import { type Relation } from "../rules/permissions.rules.ts";
import type { Booking } from "../store.ts";
import type { Proposal } from "../stores/force-majeure.store.ts";
import type { NoShowReport } from "../stores/no-show.store.ts";
import { attestationLines, contractStepsOf, messagesTo } from "./contract-timeline.views.ts";
import { payoutColumns } from "./payout-columns.views.ts";
import { inOrder, joined, type Line, line, nameOf, withdrawnLater } from "./timeline-entry.ts";

export const declinedEvent = "payment_failed";

/** Returns a booking's timeline, oldest first. The artist does not see declined cards, balance checkouts and refunds. Only admins see emails. */
export async function timelineOf(
  reader: Reader,
  of: {
    booking: Booking;
    artist: { name: string };
    contract: ContractSummary | null;
    report: NoShowReport | undefined;
    proposals: readonly Proposal[];
    now: Date;
  },
  relation: Relation,
): Promise<Line[]> {
  const payer = relation.promoter || relation.admin;
  const lines = await Promise.all([
    checkoutsOf(reader, of.booking, payer),
    holdsOf(reader, of),
    balanceStepsOf(reader, of),
    contractStepsOf(reader, of.booking.id),
    attestationLines(reader, of),
    payer ? declinesOf(reader, of.booking) : [],
    payer ? refundsOf(reader, of.booking) : [],
    disputesOf(reader, of.booking),
    relation.admin ? evidenceOf(reader, of.booking) : [],
    relation.artist || relation.admin ? payoutOf(reader, of) : [],
    relation.admin ? messagesTo(reader, of) : [],
  ]);
  return [...bookingLines(of, relation), ...proposalLines(of), ...lines.flat()].toSorted(inOrder);
}

type Given = Parameters<typeof timelineOf>[1];
const label = (status: keyof typeof bookingStatuses) => bookingStatuses[status].label;

function bookingLines({ booking, artist, contract, report, proposals, now }: Given, relation: Relation): Line[] {
  const sum = (cents: number) => ({ detail: formatMoney(cents, booking.currency) });
  const code = booking.cancel_code;
  const inWords = code === "other" || code === "request_declined";
  const side = relation.promoter ? "promoter" : relation.artist ? "artist" : null;
  const why = inWords && booking.cancel_note ? booking.cancel_note : code ? cancelReasonTo(side, code) : "";
  const ended = code === "request_declined" ? "Declined" : label("canceled");
  // The note is omitted where another entry contains it: the reason, a no-show decision or an agreement.
  const shown = [why, report?.decision, ...proposals.map(({ reason }) => reason)];
  const note = shown.includes(booking.cancel_note ?? "") ? null : booking.cancel_note;
  const hasBegun =
    contract?.signed_at &&
    booking.starts_at <= now &&
    !(booking.canceled_at && booking.canceled_at < booking.starts_at);
  return [
    ...line(booking.created_at, "requested", "Requested", { by: booking.promoter_name }),
    ...(booking.answer_due_at
      ? line(booking.deposit_paid_at, "accepted", "Accepted without a deposit", { by: artist.name })
      : line(booking.deposit_paid_at, "deposit_paid", label("deposit_paid"), sum(booking.deposit_cents))),
    ...line(contract?.sent_at, "contract_sent", label("contract_sent")),
    ...line(contract?.signed_at, "contract_signed", label("contract_signed")),
    ...line(booking.balance_paid_at, "balance_paid", "Balance paid", sum(booking.balance_cents)),
    ...line(hasBegun ? booking.starts_at : null, "show", "The show"),
    ...reportLines(report, booking, artist),
    ...line(booking.completed_at, "completed", label("completed")),
    ...line(booking.canceled_at, "canceled", why ? `${ended}: ${why}` : ended, {
      by: nameOf(booking.canceled_by, booking, artist),
      detail: note,
    }),
  ];
}

function reportLines(report: NoShowReport | undefined, booking: Booking, artist: { name: string }): Line[] {
  if (!report) return [];
  const { note, statement, decided_by, decision } = report;
  const decided = decided_by ? "The report was decided" : "The report was closed";
  const admin = nameOf(decided_by && "admin", booking, artist);
  return [
    ...line(report.reported_at, "no_show_reported", "A no-show was reported", {
      by: booking.promoter_name,
      detail: note,
    }),
    ...line(report.stated_at, "no_show_stated", "The artist stated their side", { by: artist.name, detail: statement }),
    ...line(report.decided_at, "no_show_decided", decided, { by: admin, detail: decision }),
  ];
}

const outcomeTexts: Readonly<Record<NonNullable<Proposal["outcome"]>, string | null>> = {
  accepted: "The end by agreement was accepted",
  refused: "The end by agreement was refused",
  withdrawn: "The proposed end by agreement was withdrawn",
  expired: "The proposed end by agreement was not answered in time",
  overtaken: null,
};

function proposalLines({ booking, artist, proposals }: Given): Line[] {
  const kind = "force_majeure";
  return proposals.flatMap(({ proposed_at, proposed_by, reason, outcome, closed_at }): Line[] => {
    const other = proposed_by === "promoter" ? "artist" : "promoter";
    const by = outcome === "expired" ? null : nameOf(outcome === "withdrawn" ? proposed_by : other, booking, artist);
    const text = outcome && outcomeTexts[outcome];
    return [
      ...line(proposed_at, kind, "An end by agreement (force majeure) was proposed", {
        by: nameOf(proposed_by, booking, artist),
        detail: reason,
      }),
      ...(text ? line(closed_at, kind, text, { by }) : []),
    ];
  });
}

async function checkoutsOf(reader: Reader, booking: Booking, payer: boolean): Promise<Line[]> {
  const opened = await reader
    .selectFrom("payments")
    .select(["kind", "way", "requested_at"])
    .where("booking_id", "=", booking.id)
    .where("requested_at", "is not", null)
    .$if(!payer, (query) => query.where("kind", "=", "deposit"))
    .execute();
  return opened.flatMap(({ kind, way, requested_at }) => {
    const text =
      way === "saved_card" ? "Automatic charge of the balance requested" : `${capitalized(kind)} checkout opened`;
    const cents = kind === "deposit" ? booking.deposit_cents : booking.balance_cents;
    return line(requested_at, "checkout_opened", text, { detail: formatMoney(cents, booking.currency) });
  });
}

/** Returns the ended holds of a booking, oldest first, with the progress of their own attempts to pay. */
export async function endedHoldsOf(reader: Reader, bookingId: string) {
  const ended = await reader
    .selectFrom("past_holds")
    .select(["opened_at", "ended_at", "ended_by"])
    .where("booking_id", "=", bookingId)
    .orderBy("ended_at")
    .execute();
  const attempts = ended.length > 0 ? await attemptsToPay(reader, bookingId, "deposit") : [];
  return ended.map(({ opened_at: openedAt, ...hold }) => {
    const own = attempts.filter(({ createdAt: at }) => at < hold.ended_at && (!openedAt || at >= openedAt));
    return { ...hold, mayBePaid: own.some(({ mayBePaid }) => mayBePaid) };
  });
}

async function holdsOf(reader: Reader, { booking, artist }: Given): Promise<Line[]> {
  return (await endedHoldsOf(reader, booking.id)).flatMap(({ ended_at, ended_by, mayBePaid }) => {
    const unreleased = mayBePaid ? "The hold ended before the payment was confirmed" : "The hold ended unpaid";
    const text = ended_by === "clock" || ended_by === "checkout" ? unreleased : "The hold was released";
    return line(ended_at, "hold_ended", text, { by: nameOf(ended_by, booking, artist) });
  });
}

const balanceStepTexts: Readonly<Record<string, string>> = {
  reminder: "Reminder of the balance sent",
  due: "Balance requested",
  overdue: "Balance overdue, reminder sent",
  overdue_again: "Balance overdue, reminder sent",
  last_call: "Last balance reminder sent",
  decision: "Balance unpaid: the artist decides",
};

async function balanceStepsOf(reader: Reader, { booking, artist }: Given): Promise<Line[]> {
  const rows = await reader
    .selectFrom("balance_steps")
    .select(["step", "due_day", "at", "withdrawn_at"])
    .where("booking_id", "=", booking.id)
    .execute();
  return rows.flatMap(({ step, due_day: day, at, withdrawn_at: withdrawn }) => {
    if (step === "link_created") return line(at, "balance_link", "Balance link prepared", { by: artist.name });
    const until = day && describeDay(day);
    const detail = withdrawn && withdrawnLater;
    if (step === "extended")
      return line(at, "balance_extended", `More time for the balance, until ${until}`, { by: artist.name, detail });
    const text = balanceStepTexts[step] ?? step;
    return line(at, "balance_asked", text, { detail: joined([until && `due ${until}`, detail]) });
  });
}

async function declinesOf(reader: Reader, booking: Booking): Promise<Line[]> {
  const rows = await reader
    .selectFrom("activity")
    .select([
      "created_at",
      sql<string | null>`meta->>'kind'`.as("kind"),
      sql<string | null>`meta->>'reason'`.as("reason"),
    ])
    .where("ref_id", "=", booking.id)
    .where("type", "=", "payment")
    .where(sql`meta->>'event'`, "=", declinedEvent)
    .execute();
  return rows.flatMap(({ created_at, kind, reason }) =>
    line(created_at, "payment_failed", `The payment of the ${kind ?? "deposit"} was declined`, { detail: reason }),
  );
}

const disputeEnds: Readonly<Record<string, string>> = {
  won: "The dispute ended: the payment remains",
  appeal: "The dispute was won on appeal: the payment remains",
  lost: "The dispute was lost: the bank returned the money to the payer",
  warning_closed: "The bank closed its inquiry",
};

async function disputesOf(reader: Reader, booking: Booking): Promise<Line[]> {
  const rows = await reader
    .selectFrom("disputes")
    .select(["amount", "currency", "status", "opened_at", "closed_at", "settled_at"])
    .where("booking_id", "=", booking.id)
    .execute();
  return rows.flatMap(({ amount, currency, status, opened_at, closed_at, settled_at: lostAt }) => {
    const isAppeal = status === "won" && lostAt !== null;
    const sum = formatMoney(amount, currency);
    const opened = status.startsWith("warning_")
      ? "The bank of the card asked about a payment"
      : "A payment was disputed at the bank of the card";
    return [
      ...line(opened_at, "dispute", opened, { detail: sum }),
      ...line(isAppeal ? lostAt : null, "dispute", disputeEnds["lost"] ?? "", { detail: sum }),
      ...line(closed_at, "dispute", disputeEnds[isAppeal ? "appeal" : status] ?? "The dispute ended", { detail: sum }),
    ];
  });
}

async function evidenceOf(reader: Reader, { id }: Booking): Promise<Line[]> {
  const answers = reader.selectFrom("dispute_evidence as e").innerJoin("disputes as d", "d.id", "e.dispute_id");
  const sent = await answers.select("e.sent_at").where("d.booking_id", "=", id).execute();
  return sent.flatMap(({ sent_at }) => line(sent_at, "dispute", "The evidence was sent to the bank of the card"));
}

const postedAt = (step: "settled" | "undone") => sql<Date | null>`(
  select g.posted_at from ledger_groups g where g.cause_key = 'refund:' || r.id::text || ${`:${step}`}::text)`;

/** What was sent, before a later refund replaced a part of it. */
const sentAmount = sql<number | null>`(
  select sum(e.amount)::int from ledger_groups g join ledger_entries e on e.group_id = g.id and e.account = 'refund_in_flight'
  where g.cause_key = 'refund:' || r.id::text || ':settled')`;

/** Each later dispute of the charge has a posting of its own, with the amount of then. */
const allPosted = (step: "covered" | "reopened") => sql<{ at: string; amount: number }[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('at', g.posted_at, 'amount', abs(e.amount)) order by g.posted_at), '[]')
    from ledger_groups g join ledger_entries e on e.group_id = g.id and e.account = 'refund_in_flight'
   where g.booking_id = p.booking_id and starts_with(g.cause_key, 'refund:' || r.id::text || ${`:${step}`}::text))`;

async function refundsOf(reader: Reader, booking: Booking): Promise<Line[]> {
  const rows = await reader
    .selectFrom("refunds as r")
    .innerJoin("payments as p", "p.id", "r.payment_id")
    .select(["r.amount", "r.currency", "r.reason", "r.status", "r.created_at", "r.updated_at", "r.by_dispute_at"])
    .select(["r.paid_outside_at", postedAt("settled").as("sent_at"), postedAt("undone").as("returned_at")])
    .select([allPosted("covered").as("covered"), allPosted("reopened").as("reopened"), sentAmount.as("sent_amount")])
    .where("p.booking_id", "=", booking.id)
    .execute();
  return rows.flatMap(({ amount, currency, reason, status, created_at, updated_at, sent_at, returned_at, ...by }) => {
    const sum = formatMoney(amount, currency);
    const sent = formatMoney(by.sent_amount ?? amount, currency);
    const paid = by.paid_outside_at ? `${sum} paid to the payer in another way` : `${sum} refunded to the payer`;
    const covered = (at: Date | null, of: number) =>
      line(at, "refunded", `${formatMoney(of, currency)} not refunded again: the bank of the card returned it`);
    // An earlier version posted only the first time.
    const unposted = by.covered.length > by.reopened.length ? null : by.by_dispute_at;
    const dueAgain = (of: number) =>
      `The refund of ${formatMoney(of, currency)} is due again: the money came back on appeal`;
    const earlier = [
      ...line(returned_at && sent_at, "refunded", `${sent} refunded to the payer`, { detail: reason }),
      ...line(returned_at, "refund_returned", `The bank of the card returned the refund of ${sent}`),
      ...by.covered.flatMap((posted) => covered(new Date(posted.at), posted.amount)),
      ...covered(unposted, amount),
      ...by.reopened.flatMap((posted) => line(new Date(posted.at), "refund_planned", dueAgain(posted.amount))),
    ];
    if (by.by_dispute_at || amount === 0) return earlier;
    if (status === "succeeded" && earlier.length > 0)
      return [...earlier, ...line(updated_at, "refunded", paid, { detail: reason })];
    if (status === "succeeded") return line(sent_at ?? updated_at, "refunded", paid, { detail: reason });
    if (earlier.length > 0) return earlier;
    if (status === "failed")
      return line(updated_at, "refund_planned", `${sum} could not be refunded`, { detail: reason });
    return line(created_at, "refund_planned", `${sum} is being refunded to the payer`, { detail: reason });
  });
}

const reversalText = ({ paid_outside_at: outside, kind }: { paid_outside_at: Date | null; kind: string }) =>
  outside
    ? "paid back by the artist in another way"
    : kind === "reversal"
      ? "deducted from the artist's payment account"
      : "reversed in the payment provider's dashboard";

async function payoutOf(reader: Reader, { booking, artist }: Given): Promise<Line[]> {
  const payouts = reader.selectFrom("payouts as p").leftJoin("transfers as t", "t.payout_id", "p.id");
  const reversals = await payouts
    .innerJoin("transfer_reversals as r", "r.transfer_id", "t.id")
    .innerJoin("ledger_groups as g", (join) => join.on("g.cause_key", "=", sql<string>`'reversal:' || r.id::text`))
    .select(["r.amount", "r.paid_outside_at", "g.kind", "g.posted_at"])
    .where("p.booking_id", "=", booking.id)
    .execute();
  const transfers = await payouts.select(payoutColumns).where("p.booking_id", "=", booking.id).execute();
  const [paid] = transfers;
  if (!paid) return [];
  const sum = (amount: number) => formatMoney(amount, paid.currency);
  return [
    ...transfers.flatMap(({ part, at }) => line(at, "paid_out", `${sum(part ?? 0)} paid to the artist in another way`)),
    ...line(paid.paid_at, "paid_out", "Paid out", { detail: `${sum(paid.once)} to ${artist.name}` }),
    ...reversals.flatMap(({ amount, posted_at, ...reversal }) =>
      line(posted_at, "payout_reversed", `${sum(amount)} of the payout was ${reversalText(reversal)}`),
    ),
  ];
}
