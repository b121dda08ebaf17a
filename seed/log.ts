import type { ActivityType } from "#activity/index.ts";
import { bookingStatusLabel, type BookingStatus } from "#bookings/rules.ts";
import { evidenceText } from "#contracts/rules.ts";
import { deliveryText } from "#delivery/rules.ts";
import { type TemplateName, templateTitle } from "#notifications/index.ts";
import { json } from "#platform/db/index.ts";
import { describeDay } from "#platform/time/calendar.rules.ts";
import { dayMs, hourMs } from "#platform/time/durations.rules.ts";
import { later, type Show } from "./market.ts";
import type { Books } from "./money.ts";
import type { Random } from "./random.ts";

const remembered = 45 * dayMs;

/** Makes the log entries of the planned shows of the last 45 days, in any order, each with its own time. */
export function planLog(
  shows: readonly { show: Show; books: Books }[],
  { now, adminId }: { now: Date; adminId: string },
  random: Random,
) {
  const entries = shows
    .flatMap(({ show, books }) => [...showEntries(show, books), ...moneyEntries(show, books)])
    .concat(exportEntries(adminId, now));
  const since = later(now, -remembered);
  return entries
    .filter((entry) => entry.at > since && entry.at <= now)
    .map(({ at, type, refId, message, meta, actorId = null }) => ({
      id: random.id(),
      type,
      ref_id: refId,
      message,
      meta: json(meta),
      actor_id: actorId,
      created_at: at,
    }));
}

type Entry = {
  at: Date;
  type: ActivityType;
  refId: string | null;
  message: string;
  meta: Record<string, unknown>;
  actorId?: string;
};

const summaryOf = (show: Show) => `${show.artist.row.name}, ${describeDay(show.date)}, ${show.venue}`;

/** How long after its cause an entry is written, in ms. */
const delays = { contract: 1_000, status: 2_000, notification: 6_000 } as const;

function showEntries(show: Show, books: Books): Entry[] {
  const { promoter, canceled, sentAt, signedAt } = show;
  const summary = summaryOf(show);
  const statuses: [at: Date | undefined, to: BookingStatus, email?: TemplateName][] = [
    [show.depositAt, "deposit_paid", "booking_confirmation"],
    [sentAt, "contract_sent", "contract_sent"],
    [signedAt, "contract_signed", "contract_signed"],
    [show.completedAt, "completed"],
    [canceled?.at, "canceled", "booking_canceled"],
  ];
  const entries: Entry[] = [
    {
      at: show.requestedAt,
      type: "booking",
      refId: show.id,
      message: `${promoter.name} requests ${summary}`,
      meta: { status: "initiated", fee_cents: show.fee, event_type: show.eventType },
    },
  ];
  let from: BookingStatus = "initiated";
  for (const [at, to, template] of statuses) {
    if (!at) continue;
    const message = `${summary}: ${bookingStatusLabel(from)} → ${bookingStatusLabel(to)}`;
    entries.push({ at: later(at, delays.status), type: "booking", refId: show.id, message, meta: { from, to } });
    if (template)
      for (const recipient of [0, 1])
        entries.push({
          at: later(at, delays.notification + recipient),
          type: "notification",
          refId: show.id,
          message: deliveryText("email", templateTitle(template), true),
          meta: { template, channel: "email" },
        });
    from = to;
  }
  const contract = (at: Date | undefined, entry: Parameters<typeof evidenceText>[0]): Entry[] =>
    at && books.contract
      ? [
          {
            at: later(at, delays.contract),
            type: "contract",
            refId: books.contract.id ?? null,
            message: `${summary}: ${evidenceText(entry) ?? entry.kind}`,
            meta: entry.side ? { side: entry.side } : {},
          },
        ]
      : [];
  const signed = (side: "artist" | "promoter", name: string) =>
    contract(signedAt, { kind: "signed", side, details: { name } });
  return [
    ...entries,
    ...contract(sentAt, { kind: "sent", side: null, details: {} }),
    ...signed("artist", show.artist.row.name),
    ...signed("promoter", promoter.name),
    ...contract(canceled?.contract === "declined" ? canceled.at : undefined, {
      kind: "declined",
      side: "artist",
      details: {},
    }),
  ];
}

function moneyEntries(show: Show, books: Books): Entry[] {
  return books.payments.flatMap((payment): Entry[] => {
    const { kind, amount, currency, outcome, refundedAt } = payment;
    const summary = summaryOf(show);
    const entry = (at: Date, message: string): Entry => ({
      at,
      type: "payment",
      refId: payment.id,
      message,
      meta: { kind, amount, currency },
    });
    if (outcome === "waiting") return [];
    if (outcome === "failed") return [entry(payment.at, `The ${kind} for ${summary} was declined`)];
    return [
      entry(payment.at, `The ${kind} for ${summary} was paid`),
      ...(refundedAt ? [entry(later(refundedAt, hourMs), `A refund for ${summary} has been sent`)] : []),
    ];
  });
}

/** The admin exports the payments every week. */
const exportEntries = (adminId: string, now: Date): Entry[] =>
  Array.from({ length: 6 }, (_, week) => ({
    at: later(now, -(7 * week + 2) * dayMs),
    type: "system",
    refId: "payments",
    message: "The list of payments was exported",
    meta: {},
    actorId: adminId,
  }));
