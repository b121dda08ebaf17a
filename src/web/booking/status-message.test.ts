import { expect, test } from "vitest";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import type { BookingResponse } from "./progress.ts";
import { shownBooking } from "./test-booking.ts";
import { timeLeft } from "../lib/format/time-left.ts";
import { describeDeadline, formatSpan, statusMessageFor } from "./status-message.ts";

const mine: BookingResponse = { ...shownBooking, viewer: "promoter", has_account: true };

test.each([
  [7 * dayMs - 60_000, "7 days"],
  [dayMs * 1.9, "46 h"],
  [2 * hourMs, "2 h"],
])("names the same time left as the page where it is signed: %d ms", (ms, span) => {
  const now = new Date("2026-11-21T12:00:00Z");
  expect(formatSpan(ms)).toBe(span);
  expect(timeLeft(new Date(now.getTime() + ms), now)).toBe(`${span.replace(" h", " hours")} left`);
});

test("does not describe a show as played if its money was divided after a no-show", () => {
  const decided = { reported_at: "2027-02-14T07:00:00Z", note: "x", decided_at: "2027-02-15T07:00:00Z", decision: "y" };
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
    "The reported no-show is decided. A part of the payment is refunded to the promoter. The rest is yours.",
  );
  expect(message("admin", 89_990)).toContain("The rest was released to the artist.");
  for (const viewer of ["promoter", "artist", "admin"] as const)
    expect(message(viewer, 0)).toMatch(/^The show is completed\./);
});

test("does not report a payout as sent while it waits", () => {
  const message = (viewer: BookingResponse["viewer"], held_by: "artist_owed" | "artist") => {
    const payout = { status: "pending", waits_for: "account" } as const;
    const part = { held_by, part: null, cents: 1, since: null, until: null, next: "end", artist_cents: null } as const;
    const money = { ...mine.money, released_cents: 1, parts: [{ ...part, payout }] };
    return statusMessageFor({ ...mine, viewer, status: "completed", money }).text;
  };
  expect(message("admin", "artist_owed")).toBe("The artist has not been paid yet.");
  expect(message("admin", "artist")).toBe("The artist has been paid.");
  expect(message("artist", "artist_owed")).toBe("We pay you once your payment account is set up.");
});

test("formats time spans and deadlines", () => {
  const now = new Date("2026-11-21T20:00:00Z");
  const at = (ms: number) => new Date(now.getTime() + ms).toISOString();
  expect([724_000, 18 * hourMs, 12 * dayMs].map(formatSpan)).toEqual(["12:04 min", "18 h", "12 days"]);
  // From 23 November, 02:21, to 6 December, 06:00, are 13 days. A minute less than a week rounds to 7 days.
  expect([(13 * 24 + 4) * hourMs, 7 * dayMs - 60_000].map(formatSpan)).toEqual(["13 days", "7 days"]);
  expect(describeDeadline({ kind: "contract_due", at: at(18 * hourMs) }, now)).toBe("Contract due in 18 h");
  expect(describeDeadline({ kind: "contract_due", at: at(-3 * hourMs) }, now)).toBe("Contract overdue by 3 h");
  for (const left of [0, 999]) {
    expect(describeDeadline({ kind: "balance_due", at: at(left) }, now)).toBe("Balance due now");
    expect(describeDeadline({ kind: "contract_due", at: at(left) }, now)).toBe("Contract overdue by 0:01 min");
  }
  expect(describeDeadline({ kind: "balance_due", at: at(1_000) }, now)).toBe("Balance due in 0:01 min");
  expect(describeDeadline({ kind: "balance_overdue", at: at(-3 * dayMs) }, now)).toBe("Balance overdue by 3 days");
  expect(describeDeadline({ kind: "balance_decision", at: at(18 * hourMs) }, now)).toBe(
    "The artist may release the date in 18 h",
  );
});
