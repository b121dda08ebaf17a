import type { ActivityType } from "#activity/index.ts";
import { cancelCodeText } from "#bookings/rules.ts";
import { json } from "#platform/db/index.ts";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import type { Random } from "./random.ts";
import { later, type Show } from "./market.ts";
import type { Books } from "./money.ts";

const remembered = 45 * dayMs;

/** Makes the log entries of the planned shows of the last 45 days, in any order, each with its own time. */
export function planLog(shows: readonly { show: Show; books: Books }[], now: Date, random: Random) {
  const entries = shows
    .flatMap(({ show, books }) => [...showEntries(show, books), ...moneyEntries(show, books)])
    .concat(systemEntries(now));
  const since = later(now, -remembered);
  return entries
    .filter((entry) => entry.at > since && entry.at <= now)
    .map(({ at, type, refId, message, meta }) => ({
      id: random.id(),
      type,
      ref_id: refId,
      message,
      meta: json(meta),
      created_at: at,
    }));
}

type Entry = { at: Date; type: ActivityType; refId: string | null; message: string; meta: Record<string, unknown> };

function showEntries(show: Show, books: Books): Entry[] {
  const name = show.artist.row.name;
  const meta = { artist: name, promoter: show.promoter.name, event_date: show.date };
  const entry = (at: Date | undefined, type: ActivityType, message: string, refId = show.id): Entry[] =>
    at ? [{ at, type, refId, message, meta }] : [];
  return [
    ...entry(show.requestedAt, "booking", `${show.promoter.name} requested ${name} on ${show.date}.`),
    ...entry(
      show.sentAt,
      "contract",
      `The contract for ${name} on ${show.date} was sent to both parties.`,
      books.contract?.id,
    ),
    ...entry(show.sentAt && later(show.sentAt, 4_000), "notification", `Contract Sent went to ${show.promoter.email}.`),
    ...entry(
      show.canceled?.contract === "declined" ? show.canceled.at : undefined,
      "contract",
      `${name} declined the contract for ${show.date}.`,
    ),
    ...entry(show.signedAt, "contract", `The contract for ${name} on ${show.date} was signed.`, books.contract?.id),
    ...entry(show.completedAt, "booking", `${name} played for ${show.promoter.name}; the booking is completed.`),
    ...entry(
      show.canceled?.at,
      "booking",
      `The booking of ${name} on ${show.date} was canceled: ${show.canceled?.note ?? (show.canceled ? cancelCodeText[show.canceled.code] : "")}`,
    ),
  ];
}

function moneyEntries(show: Show, books: Books): Entry[] {
  return books.payments.flatMap((payment): Entry[] => {
    const meta = { kind: payment.kind, amount: payment.amount, currency: payment.currency, booking_id: show.id };
    const entry = (at: Date, message: string): Entry => ({ at, type: "payment", refId: payment.id, message, meta });
    if (payment.outcome === "waiting") return [];
    if (payment.outcome === "failed")
      return [entry(payment.at, `The ${payment.kind} for ${show.artist.row.name} was declined by the bank.`)];
    const received = entry(payment.at, `We received the ${payment.kind} for ${show.artist.row.name} on ${show.date}.`);
    if (!payment.refundedAt) return [received];
    return [received, entry(payment.refundedAt, `A refund of the ${payment.kind} went back to ${show.promoter.name}.`)];
  });
}

const systemEntries = (now: Date): Entry[] =>
  Array.from({ length: 44 }, (_, k): Entry => {
    const at = later(now, -(k + 1) * dayMs + 3 * hourMs);
    return {
      at,
      type: "system",
      refId: null,
      message: "Provider and ledger were compared; no difference was found.",
      meta: { differences: 0 },
    };
  });
