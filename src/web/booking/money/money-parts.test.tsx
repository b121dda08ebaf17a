import { render, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { describePayout } from "../../lib/format/payouts.ts";
import type { BookingResponse } from "../status/progress.ts";
import { automaticPayment, shownBooking } from "../test-booking.ts";
import { MoneyParts } from "./money.tsx";
import { partNext, type MoneyPart } from "./part-labels.ts";

// The shows of this file are in 2027.
beforeEach(() => void vi.setSystemTime(new Date("2026-11-29T12:00:00Z")));

const held: MoneyPart = {
  held_by: "platform",
  part: "deposit",
  cents: 100_000,
  since: "2026-11-21T20:00:00Z",
  until: "2027-02-16T05:30:00Z",
  next: "show",
  artist_cents: 85_000,
  payout: null,
};
const due = { ...held, held_by: "promoter_owes", next: "pay_balance", until: null, artist_cents: null } as const;

function lines(viewer: BookingResponse["viewer"], parts: MoneyPart[], more: Partial<BookingResponse["money"]> = {}) {
  const booking: BookingResponse = { ...shownBooking, viewer, money: { ...shownBooking.money, ...more, parts } };
  render(<MoneyParts booking={booking} />);
  const list = within(screen.getByRole("list", { name: "Where the money is" }));
  return list.getAllByRole("listitem").map(({ textContent }) => textContent);
}

test("shows since when money is held, until when, and the exact amount for the artist", () => {
  const [line] = lines("artist", [held]);
  expect(line).toContain("Deposit, held by Stagedoor since Sat 21 Nov");
  expect(line).toContain("$1,000");
  expect(line).toContain("then $850 goes to you");
  expect(line).toMatch(/At the latest Tue 16 Feb 2027 05:30, your time: 48 hours after the show\./);
});

test.each([
  ["released", "Released to the artist on Sat 21 Nov"],
  ["promoter", "Refunded on Sat 21 Nov"],
] as const)("names the day on which money has left: %s", (held_by, text) => {
  const [line] = lines("guest", [{ ...held, held_by, part: null, until: null, next: "end" }]);
  expect(line).toContain(text);
});

test("names no day since which an amount is due, because it is not overdue", () => {
  const [line] = lines("promoter", [{ ...due, part: "balance" }]);
  expect(line).toContain("Balance, to be paid by you");
  expect(line).toContain("Due now.");
  expect(line).not.toContain("since");
});

test("dates due amounts in the time zone of the show, not of the viewer", () => {
  const open = { ...due, since: null };
  expect(
    // In Chicago: the start of a show on 23 March at 21:00, and the end of 22 February. In London both are a day later.
    lines("admin", [
      { ...open, next: "pay_deposit", until: "2027-03-24T02:00:00Z" },
      { ...open, part: "balance", next: "pay_balance_once_signed", until: "2027-02-23T06:00:00Z" },
    ]).map((line) => /(?:on|On) \w{3} \d+ \w{3}/.exec(line ?? "")?.[0]),
  ).toEqual(["on Tue 23 Mar", "on Mon 22 Feb"]);
});

test("shows deadlines in the viewer's time zone, on the day that the cancellation shows", () => {
  const late = "2027-02-16T05:30:00Z";
  const overdue: MoneyPart = { ...due, part: "balance", until: late, since: null, next: "balance_overdue" };
  const of = (viewer: BookingResponse["viewer"]) => partNext(overdue, { ...shownBooking, viewer });
  expect(of("artist")).toMatch(
    /^Overdue\. You can give more time or release the date from Tue 16 Feb 2027 05:30, your time\.$/,
  );
  expect(of("guest")).toMatch(/Electric Dreams can give more time or release the date from Tue 16 Feb 2027 05:30/);
  lines("guest", [held], { if_canceled: { refund_cents: 25_000, until: late } });
  expect(screen.getByText(/This is valid until Tue 16 Feb 2027 05:30, your time\./)).toBeTruthy();
});

test("shows the day of a payout in the platform's time zone", () => {
  document.documentElement.dataset["timeZone"] = "America/Los_Angeles";
  const payout = {
    status: "held",
    waits_for: null,
    due_at: "2027-02-16T05:30:00Z",
    paid_at: null,
    sent: null,
  } as const;
  expect(describePayout(payout)).toBe("to be released 15 Feb 2027");
  delete document.documentElement.dataset["timeZone"];
});

test("does not show an automatically charged balance as due now", () => {
  const owed: MoneyPart = { ...due, part: "balance", since: null };
  const of = (automatic: BookingResponse["automatic_payment"]) =>
    partNext(owed, { ...shownBooking, automatic_payment: automatic });
  expect(of(null)).toBe("Due now.");
  expect(of(automaticPayment)).toBe("Charged to Visa ···4242 on Sat 16 Jan, 09:00 venue time.");
  expect(of({ ...automaticPayment, charge: null })).toBe("Charged to Visa ···4242 as soon as both have signed.");
  expect(
    partNext({ ...owed, next: "objection_decision" }, { ...shownBooking, automatic_payment: automaticPayment }),
  ).toBe("Not due until an admin decides about the objection to the signature.");
  expect(of({ ...automaticPayment, state: "charging" })).toBe("Is being charged to Visa ···4242 now.");
});

test("hides the artist's share from the promoter, and shows the refund of a cancellation", () => {
  const [line] = lines("guest", [{ ...held, artist_cents: null }], {
    if_canceled: { refund_cents: 25_000, until: "2027-01-16T06:00:00Z" },
  });
  expect(line).toContain("then it goes to Electric Dreams");
  expect(
    screen.getByText(/If you cancel now, \$250 is refunded\. This is valid until Sat 16 Jan 2027 06:00, your time\.$/),
  ).toBeTruthy();
});

test("addresses the viewer in what held money waits for", () => {
  const texts = (part: Partial<MoneyPart>) =>
    (["guest", "promoter", "artist", "admin"] as const).map((viewer) =>
      partNext({ ...held, until: null, artist_cents: null, ...part }, { ...shownBooking, viewer }),
    );
  const promoter = "Held until the promoter confirms the show, then it goes to ";
  const you = "Held until you confirm the show, then it goes to Electric Dreams.";
  expect(texts({ next: "show" })).toEqual([you, you, `${promoter}you.`, `${promoter}Electric Dreams.`]);
  const unsigned = { ...shownBooking, viewer: "guest", status: "contract_sent" } as const;
  expect(partNext({ ...held, next: "show", until: null, artist_cents: null }, unsigned)).toBe(
    "Held until both have signed and you confirm the show, then it goes to Electric Dreams.",
  );
  expect(texts({ next: "confirmation" })[1]).toContain("The show is over. Held until you confirm it,");
  expect(texts({ next: "no_show_decision" }).slice(2)).toEqual([
    "Held until an admin decides about the reported no-show.",
    "Held until you decide about the reported no-show.",
  ]);
});

test.each([
  ["guest", null, "Both are held until you confirm the show, then they go to Electric Dreams."],
  ["artist", 85_000, "Both are held until the promoter confirms the show, then $1,700 goes to you."],
] as const)("says once what a deposit and a balance wait for, to the %s", (viewer, artist_cents, text) => {
  const deposit = { ...held, until: null, artist_cents };
  const [first, second] = lines(viewer, [deposit, { ...deposit, part: "balance" }]);
  expect(first).not.toContain("until");
  expect(second).toContain(text);
});

test("names owed, refunding, refunded and released parts for the viewer, the unpaid ones last", () => {
  const plain = { part: null, until: null, artist_cents: null, payout: null, since: null, next: "end" } as const;
  expect(
    lines("promoter", [
      {
        ...plain,
        held_by: "promoter_owes",
        part: "balance",
        cents: 1,
        next: "pay_balance",
        until: "2027-01-17T06:00:00Z",
      },
      { ...plain, held_by: "released", cents: 2 },
      { ...plain, held_by: "returning", cents: 3, next: "at_the_bank" },
      { ...plain, held_by: "promoter", cents: 4 },
    ]).map((line) => line?.replace(/\$.*/, "").trim()),
  ).toEqual(["Released to the artist", "Being refunded", "Refunded", "Balance, to be paid by you"]);
});

test.each([
  ["artist", "Owed to you", "Waiting for your payment account."],
  ["admin", "Owed to Electric Dreams", "Waiting for the payment account of the artist."],
] as const)("shows the %s what a pending payout waits for", (viewer, owed, wait) => {
  const payout = { status: "pending", waits_for: "account" } as const;
  const [line] = lines(viewer, [{ ...held, held_by: "artist_owed", part: null, next: "payout", payout }], {
    payout: {
      ...payout,
      amount_cents: 85_000,
      reversed_cents: 0,
      due_at: "2027-02-16T05:30:00Z",
      paid_at: null,
      sent: null,
      error: null,
      can_retry: false,
      owed_cents: 0,
      outside_cents: 0,
    },
  });
  expect(line).toContain(owed);
  expect(line).toContain(wait);
});
