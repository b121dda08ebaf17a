/** What becomes of a planned show: when it was asked for, paid, signed, played or called off. */
import type { Chance } from "./random.ts";
import { type Canceled, day, earlier, hour, later, minute, type Show, type Sketch } from "./market.ts";

/** A show that lies behind: nearly always played, now and then called off. One of the last two days waits for its completion. */
export function planPast(sketch: Sketch, now: Date, chance: Chance, star: boolean): Show {
  const requestedAt = later(sketch.startsAt, -chance.between(34, 110) * day + chance.between(0, 600) * minute);
  const show: Show = { ...sketch, status: "completed", requestedAt };
  if (chance.hit(star ? 0.06 : 0.16)) return callOff(show, chance, now);
  sign(show, chance);
  show.balanceAt = later(sketch.startsAt, -chance.between(20, 28) * day + chance.between(0, 600) * minute);
  const completedAt = later(sketch.endsAt, 2 * day);
  if (completedAt < now) show.completedAt = completedAt;
  else show.status = "contract_signed";
  return show;
}

/** A show ahead, in the status that is asked for, with moments that fit it. */
export function planFuture(sketch: Sketch, status: Show["status"], now: Date, chance: Chance): Show {
  const show: Show = { ...sketch, status, requestedAt: later(now, -chance.between(60, 6 * 24 * 60) * minute) };
  if (status === "canceled") {
    show.requestedAt = later(now, -chance.between(25, 60) * day);
    return callOff(show, chance, now);
  }
  if (status === "deposit_paid") {
    show.depositAt = later(now, -chance.between(30, 15 * 60) * minute);
    show.requestedAt = later(show.depositAt, -chance.between(4, 600) * minute);
  }
  if (status === "contract_sent") {
    show.depositAt = later(now, -chance.between(8 * 60, 5 * 24 * 60) * minute);
    show.requestedAt = later(show.depositAt, -chance.between(4, 2_000) * minute);
    show.sentAt = later(show.depositAt, chance.between(1, 240) * minute);
  }
  if (status === "contract_signed") {
    show.requestedAt = later(now, -chance.between(9, 60) * day);
    sign(show, chance);
    const due = later(show.startsAt, -28 * day);
    const near = due < now;
    if (chance.hit(near ? 0.7 : 0.25))
      show.balanceAt = earlier(later(show.signedAt ?? now, chance.between(1, 40) * hour), later(now, -hour));
  }
  return show;
}

function sign(show: Show, chance: Chance): void {
  show.depositAt = later(show.requestedAt, chance.between(4, 2_000) * minute);
  show.sentAt = later(show.depositAt, chance.between(1, 300) * minute);
  show.signedAt = later(show.sentAt, chance.between(60, 5_000) * minute);
}

/** The ways in which a show is called off, each with what it does to paper and money. */
const endings = ["promoter_early", "promoter_late", "cooling_off", "artist", "declined", "lapsed"] as const;

function callOff(show: Show, chance: Chance, now: Date): Show {
  show.status = "canceled";
  const past = show.startsAt < now;
  const ending = chance.pick(past ? endings : endings.filter((one) => one !== "lapsed" && one !== "promoter_late"));
  const { requestedAt } = show;
  const plan = (canceled: Canceled): Show => ({
    ...show,
    canceled: { ...canceled, at: earlier(canceled.at, later(now, -2 * hour)) },
  });
  if (ending === "lapsed") {
    return plan({ at: show.startsAt, by: "system", reason: "lapsed", contract: "draft", refund: "none" });
  }
  show.depositAt = later(requestedAt, chance.between(4, 900) * minute);
  if (ending === "cooling_off") {
    const at = later(show.depositAt, chance.between(60, 1_500) * minute);
    return plan({
      at,
      by: "promoter",
      reason: "The date was agreed with the wrong hall.",
      contract: "draft",
      refund: "all",
    });
  }
  show.sentAt = later(show.depositAt, chance.between(1, 200) * minute);
  if (ending === "declined") {
    const at = later(show.sentAt, chance.between(100, 3_000) * minute);
    return plan({ at, by: "artist", reason: "The artist declined the contract.", contract: "declined", refund: "all" });
  }
  show.signedAt = later(show.sentAt, chance.between(60, 3_000) * minute);
  if (ending === "artist") {
    const at = later(show.signedAt, chance.between(1, 9) * day);
    return plan({ at, by: "artist", reason: "Illness in the band.", contract: "signed", refund: "all" });
  }
  if (ending === "promoter_late") {
    show.balanceAt = later(show.signedAt, 6 * hour);
    const at = later(show.startsAt, -chance.between(16, 26) * day);
    return plan({
      at,
      by: "promoter",
      reason: "The venue closed for repairs.",
      contract: "signed",
      refund: "half_balance",
    });
  }
  const at = later(show.signedAt, chance.between(1, 3) * day);
  return plan({
    at,
    by: "promoter",
    reason: "The event was postponed to another year.",
    contract: "signed",
    refund: "none",
  });
}
