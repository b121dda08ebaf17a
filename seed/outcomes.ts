import { minuteMs, hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { type Canceled, earlier, later, type Show, type DraftShow } from "./market.ts";
import type { Random } from "./random.ts";

/** Plans a past show: nearly always played, sometimes canceled. One of the last two days waits for its completion. */
export function planPast(draft: DraftShow, now: Date, random: Random, star: boolean): Show {
  const requestedAt = later(draft.startsAt, -random.between(34, 110) * dayMs + random.between(0, 600) * minuteMs);
  const show: Show = { ...draft, status: "completed", requestedAt };
  if (random.boolean(star ? 0.06 : 0.16)) return cancelShow(show, random, now);
  sign(show, random);
  show.balanceAt = later(draft.startsAt, -random.between(20, 28) * dayMs + random.between(0, 600) * minuteMs);
  const completedAt = later(draft.endsAt, 2 * dayMs);
  if (completedAt < now) show.completedAt = completedAt;
  else show.status = "contract_signed";
  return show;
}

/** Plans a future show in the given status, with matching times. */
export function planFuture(draft: DraftShow, status: Show["status"], now: Date, random: Random): Show {
  const show: Show = { ...draft, status, requestedAt: later(now, -random.between(60, 6 * 24 * 60) * minuteMs) };
  if (status === "canceled") {
    show.requestedAt = later(now, -random.between(25, 60) * dayMs);
    return cancelShow(show, random, now);
  }
  if (status === "deposit_paid") {
    show.depositAt = later(now, -random.between(30, 15 * 60) * minuteMs);
    show.requestedAt = later(show.depositAt, -random.between(4, 600) * minuteMs);
  }
  if (status === "contract_sent") {
    show.depositAt = later(now, -random.between(8 * 60, 5 * 24 * 60) * minuteMs);
    show.requestedAt = later(show.depositAt, -random.between(4, 2_000) * minuteMs);
    show.sentAt = later(show.depositAt, random.between(1, 240) * minuteMs);
  }
  if (status === "contract_signed") {
    show.requestedAt = later(now, -random.between(9, 60) * dayMs);
    sign(show, random);
    const due = later(show.startsAt, -28 * dayMs);
    const near = due < now;
    if (random.boolean(near ? 0.7 : 0.25))
      show.balanceAt = earlier(later(show.signedAt ?? now, random.between(1, 40) * hourMs), later(now, -hourMs));
  }
  return show;
}

function sign(show: Show, random: Random): void {
  show.depositAt = later(show.requestedAt, random.between(4, 2_000) * minuteMs);
  show.sentAt = later(show.depositAt, random.between(1, 300) * minuteMs);
  show.signedAt = later(show.sentAt, random.between(60, 5_000) * minuteMs);
}

/** The cancellations of a show, each with its effect on contract and money. */
const endings = ["promoter_early", "promoter_late", "cooling_off", "artist", "declined", "expired"] as const;

function cancelShow(show: Show, random: Random, now: Date): Show {
  show.status = "canceled";
  const past = show.startsAt < now;
  const ending = random.pick(past ? endings : endings.filter((one) => one !== "expired" && one !== "promoter_late"));
  const { requestedAt } = show;
  const plan = (canceled: Canceled): Show => ({
    ...show,
    canceled: { ...canceled, at: earlier(canceled.at, later(now, -2 * hourMs)) },
  });
  if (ending === "expired") {
    return plan({ at: show.startsAt, by: "system", code: "expired", contract: "draft", refund: "none" });
  }
  show.depositAt = later(requestedAt, random.between(4, 900) * minuteMs);
  if (ending === "cooling_off") {
    const at = later(show.depositAt, random.between(60, 1_500) * minuteMs);
    return plan({
      at,
      by: "promoter",
      code: "date_changed",
      note: "The date was agreed with the wrong hall.",
      contract: "draft",
      refund: "all",
    });
  }
  show.sentAt = later(show.depositAt, random.between(1, 200) * minuteMs);
  if (ending === "declined") {
    const at = later(show.sentAt, random.between(100, 3_000) * minuteMs);
    return plan({
      at,
      by: "artist",
      code: "cannot_perform",
      note: "The artist declined the contract.",
      contract: "declined",
      refund: "all",
    });
  }
  show.signedAt = later(show.sentAt, random.between(60, 3_000) * minuteMs);
  if (ending === "artist") {
    const at = later(show.signedAt, random.between(1, 9) * dayMs);
    return plan({
      at,
      by: "artist",
      code: "cannot_perform",
      note: "Illness in the band.",
      contract: "signed",
      refund: "all",
    });
  }
  if (ending === "promoter_late") {
    show.balanceAt = later(show.signedAt, 6 * hourMs);
    const at = later(show.startsAt, -random.between(16, 26) * dayMs);
    return plan({
      at,
      by: "promoter",
      code: "plans_changed",
      note: "The venue closed for repairs.",
      contract: "signed",
      refund: "half_balance",
    });
  }
  const at = later(show.signedAt, random.between(1, 3) * dayMs);
  return plan({
    at,
    by: "promoter",
    code: "date_changed",
    note: "The event was postponed to another year.",
    contract: "signed",
    refund: "none",
  });
}
