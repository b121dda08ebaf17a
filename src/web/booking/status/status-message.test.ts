import { expect, test } from "vitest";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { timeLeft } from "../../lib/format/time-left.ts";
import { noPermissions, shownBooking } from "../test-booking.ts";
import { describeDeadline, formatSpan } from "./deadline-text.ts";
import type { BookingResponse } from "./progress.ts";
import { statusMessageFor } from "./status-message.ts";

const mine: BookingResponse = { ...shownBooking, viewer: "promoter", has_account: true };

test.each([
  [7 * dayMs - 60_000, "7 days"],
  [dayMs * 1.9, "46 h"],
  [2 * hourMs, "2 h"],
])("names the same time left as the page where it is signed: %d ms", (ms, span) => {
  const now = new Date("2026-11-21T12:00:00Z");
  expect(formatSpan(now, new Date(now.getTime() + ms))).toBe(span);
  expect(timeLeft(new Date(now.getTime() + ms), now)).toBe(`${span.replace(" h", " hours")} left`);
});

test("does not describe a show as played if its money was divided after a no-show", () => {
  const report = { reported_at: "2027-02-14T07:00:00Z", note: "x", stated_at: null, statement: null };
  const decided = { ...report, decided_at: "2027-02-15T07:00:00Z", decision: "y" };
  const message = (viewer: BookingResponse["viewer"], refunded: number) => {
    const { title, text } = statusMessageFor({
      ...mine,
      viewer,
      status: "completed",
      no_show: { ...decided, released_cents: 150_000 - refunded, refunded_cents: refunded },
    });
    return `${title} ${text}`;
  };
  expect(message("promoter", 89_990)).toBe(
    "The reported no-show is decided. A part of the payment is refunded to the card it was paid with. The rest was released to the artist.",
  );
  expect(message("artist", 89_990)).toBe(
    "The reported no-show is decided. A part of the payment is refunded to the payer. The rest is yours.",
  );
  expect(message("admin", 89_990)).toContain("The rest was released to the artist.");
  for (const viewer of ["promoter", "artist", "admin"] as const)
    expect(message(viewer, 0)).toMatch(/^The show is completed\./);
  expect(message("promoter", 0)).toContain("the no-show that you reported: nothing is refunded.");
});

test("names the artist's other calendar that takes the date of a request, and the ways out", () => {
  const busy_elsewhere = { calendar: "Google", starts_at: "2027-02-13T20:30:00Z" };
  const request = { ...mine, viewer: "artist", status: "initiated", busy_elsewhere } as const;
  const text = (more: Partial<BookingResponse>) => statusMessageFor({ ...request, ...more }).text;
  expect(text({})).toMatch(/Your calendar Google has an event then, .*The deposit cannot be paid until you remove it/);
  const can = { ...noPermissions, answer: true };
  expect(text({ can, answer_due_at: "2027-01-13T20:30:00Z" })).toMatch(/Google .*If you are busy, decline\./);
  expect(text({ busy_elsewhere: null })).not.toContain("calendar");
});

test("states that a ranked hold outlasts the checkout, and otherwise that the date is available again", () => {
  const text = (holds: BookingResponse["holds"]) => {
    const hold = { expires_at: "2026-11-21T20:30:00Z" };
    return statusMessageFor({ ...mine, viewer: "artist", status: "initiated", hold, holds }).text;
  };
  const from = {
    rank: 1,
    state: "active" as const,
    until: "2026-11-28T20:30:00Z",
    released_nights: [],
    ended_others: 0,
  };
  expect(text({ night: "2027-02-13", from, queue: [] })).toMatch(/is held until .*\. The promoter's hold runs until /);
  expect(text(null)).toMatch(/is held until .*\. It is available again if the deposit is not paid by then\.$/);
});

test.each([
  [
    "promoter",
    { open_cents: 37_500, withheld_cents: 37_500, lost_cents: 0 },
    "A payment is disputed. $375 is disputed at the bank of the card. The bank withholds it until it has decided. The date stays booked. Until the bank has decided, this payment cannot be refunded.",
  ],
  [
    "artist",
    { open_cents: 37_500, withheld_cents: 37_500, lost_cents: 0 },
    "A payment is disputed. The payer disputes $375 at the bank of the card. The bank withholds it until it has decided. The date stays booked. Until the bank has decided, nothing is paid out. If the bank keeps the money, your share is reduced.",
  ],
  [
    "admin",
    { open_cents: 37_500, withheld_cents: 0, lost_cents: 0 },
    "The payer's bank asks about a payment. The payer's bank has a question about $375. No money has been withdrawn. The date stays booked. Until the bank has decided, nothing is paid out.",
  ],
  [
    "guest",
    { open_cents: 0, withheld_cents: 0, lost_cents: 37_500 },
    "A payment was lost in a dispute. The bank of the card took back $375 in a dispute. The date stays booked. See you on Saturday 13 February.",
  ],
  [
    "artist",
    { open_cents: 0, withheld_cents: 0, lost_cents: 37_500 },
    "A payment was lost in a dispute. The payer's bank took back $375 in a dispute. The date stays booked. After the show you are paid the rest: $1,012.50.",
  ],
  [
    "admin",
    { open_cents: 0, withheld_cents: 0, lost_cents: 37_500 },
    "A payment was lost in a dispute. The payer's bank took back $375 in a dispute. The date stays booked. What is left of the price is paid out after the show.",
  ],
] as const)("states what a dispute means instead of calling everything paid (%s, %o)", (viewer, dispute, text) => {
  const held = { held_by: "platform", part: "balance", cents: 112_500, since: null, until: null } as const;
  const parts = [{ ...held, next: "show", artist_cents: 101_250, payout: null }] as const;
  const money = { ...mine.money, outstanding_cents: 0, dispute, parts: [...parts] };
  const deadlines = [{ kind: "show_starts" as const, at: mine.starts_at }];
  const signed = { ...mine, viewer, status: "contract_signed", can: noPermissions, money, deadlines } as const;
  const shown = statusMessageFor(signed);
  expect(`${shown.title} ${shown.text}`).toBe(text);
  const message = statusMessageFor({ ...signed, status: "contract_sent" });
  const isFirst = viewer === "admin" && dispute.open_cents > 0;
  expect(isFirst ? message.text : message.title).toContain(
    viewer === "admin" ? "Waiting for signatures." : "The contract is waiting for signatures.",
  );
  expect(message.text).toContain("$375");
});

test.each([
  ["requested", "artist", "request_declined", "This request was declined."],
  ["requested", "promoter", "other", "This request is canceled."],
  ["requested", "system", "unanswered", "This request has ended."],
  ["deposit_paid", "artist", "cannot_perform", "This booking is canceled."],
  ["accepted", "promoter", "other", "This booking is canceled."],
] as const)("names what has ended: %s, canceled by the %s (%s)", (kind, canceled_by, cancel_code, title) => {
  const timeline = [{ at: mine.created_at, kind, text: "", by: null, detail: null }];
  expect(statusMessageFor({ ...mine, status: "canceled", canceled_by, cancel_code, timeline }).title).toBe(title);
});

test("does not report a payout as sent while it waits", () => {
  const message = (viewer: BookingResponse["viewer"], ...owners: ("artist_owed" | "artist")[]) => {
    const payout = { status: "pending", waits_for: "account" } as const;
    const part = { part: null, cents: 1, since: null, until: null, next: "end", artist_cents: null, payout } as const;
    const money = { ...mine.money, released_cents: 1, parts: owners.map((held_by) => ({ ...part, held_by })) };
    return statusMessageFor({ ...mine, viewer, status: "completed", money }).text;
  };
  expect(message("admin", "artist_owed")).toBe("The artist has not been paid yet.");
  expect(message("admin", "artist_owed", "artist")).toBe("A part of the artist's share is not paid yet.");
  expect(message("admin", "artist")).toBe("The artist has been paid.");
  expect(message("artist", "artist_owed")).toBe("We pay you once your payment account is set up.");
});

test("asks the artist of a completed show to pay back what cannot be reversed", () => {
  const amounts = { amount_cents: 33_750, reversed_cents: 0, owed_cents: 33_750, outside_cents: 0, sent: null };
  const payout = { status: "paid", waits_for: null, due_at: mine.starts_at, paid_at: mine.starts_at } as const;
  const money = { ...mine.money, payout: { ...payout, ...amounts, error: null, can_retry: false } };
  expect(statusMessageFor({ ...mine, viewer: "artist", status: "completed", money }).text).toBe(
    "Please pay back $337.50. We contact you about how.",
  );
});

const inChicago = { viewer: "promoter", time_zone: "America/Chicago" } as const;

test("counts days until a date as calendar days of the booking's time zone", () => {
  // Friday 27 November, 01:00 in Chicago.
  const now = new Date("2026-11-27T07:00:00Z");
  const describe = (kind: "show_starts" | "balance_due", at: string) => describeDeadline({ kind, at }, now, inChicago);
  expect(describe("show_starts", "2026-12-10T02:30:00Z")).toBe("Show in 12 days");
  expect(describe("show_starts", "2026-12-24T02:30:00Z")).toBe("Show in 26 days");
  // Due on 10 December: until the end of that day.
  expect(describe("balance_due", "2026-12-11T06:00:00Z")).toBe("Balance due in 13 days");
  expect(timeLeft("2026-12-09T20:00:00", new Date("2026-11-27T01:00:00"))).toBe("12 days left");
});

test("formats time spans and deadlines", () => {
  const now = new Date("2026-11-21T20:00:00Z");
  const at = (ms: number) => new Date(now.getTime() + ms).toISOString();
  const span = (ms: number) => formatSpan(now, new Date(at(ms)), "America/Chicago");
  expect([724_000, 18 * hourMs, 12 * dayMs].map(span)).toEqual(["12:04 min", "18 h", "12 days"]);
  const describe = (kind: Parameters<typeof describeDeadline>[0]["kind"], ms: number) =>
    describeDeadline({ kind, at: at(ms) }, now, inChicago);
  expect(describe("contract_due", 18 * hourMs)).toBe("Contract due in 18 h");
  expect(describe("contract_due", -3 * hourMs)).toBe("Contract overdue by 3 h");
  for (const left of [0, 999]) {
    expect(describe("balance_due", left)).toBe("Balance due now");
    expect(describe("contract_due", left)).toBe("Contract overdue by 0:01 min");
  }
  expect(describe("balance_due", 1_000)).toBe("Balance due in 0:01 min");
  expect(describe("balance_overdue", -3 * dayMs)).toBe("Balance overdue by 3 days");
  expect(describe("balance_decision", 18 * hourMs)).toBe("The artist may release the date in 18 h");
  const decision = { kind: "balance_decision", at: at(18 * hourMs) } as const;
  expect(describeDeadline(decision, now, { viewer: "artist" })).toBe("You may release the date in 18 h");
});

test.each([
  ["promoter", "Your saved card was declined and is not charged again. Pay the balance yourself. It is due on"],
  ["guest", "Your saved card was declined and is not charged again. Pay the balance yourself. It is due on"],
  ["artist", "The saved card was declined and is not charged again. Hannah Whitt must pay the balance."],
  ["admin", "The saved card was declined and is not charged again. Hannah Whitt must pay the balance."],
] as const)("states that the automatic charge was declined and what follows (%s)", (viewer, text) => {
  const due = { due_day: "2027-01-16", due_at: "2027-01-17T06:00:00Z", overdue: false, extended: false } as const;
  const balance = { ...due, charge_declined: true, artist_decides: false, extend: null };
  const can = { ...noPermissions, pay: viewer === "artist" ? null : ("balance" as const) };
  const money = { ...mine.money, outstanding_cents: 112_500, balance_due: "2027-01-16" };
  expect(statusMessageFor({ ...mine, viewer, status: "contract_signed", can, money, balance }).text).toContain(text);
});
