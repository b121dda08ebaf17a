import { expect, test } from "vitest";
import { automaticPayment, noPermissions, shownBooking } from "../test-booking.ts";
import {
  describeReturned,
  describeUnpayable,
  momentOf,
  type AutomaticPayment,
  type BookingResponse,
  stepsAhead,
} from "./progress.ts";
import { statusMessageFor } from "./status-message.ts";

test("explains why a signed booking's balance cannot be paid on the site, and does not call it paid", () => {
  const signed: BookingResponse = { ...shownBooking, status: "contract_signed", can: noPermissions };
  const off: BookingResponse = { ...signed, balance_unpayable: "payments_not_set_up" };
  expect(statusMessageFor(off).text).toBe(
    "The balance cannot be paid here: payments are not set up on this site. The booking remains active. We email you once you can pay it.",
  );
  expect(statusMessageFor(off).title).toBe("The contract is signed.");
  expect(describeUnpayable({ ...off, viewer: "artist" })).toMatch(/We request the payment once payments are set up\.$/);
  expect(statusMessageFor({ ...signed, balance_unpayable: "too_small" }).text).toBe(
    "The balance cannot be paid here: it is too small for a card payment. Please pay it directly to each other. The booking remains active.",
  );
  expect(statusMessageFor({ ...signed, balance_paid: true }).title).toBe("Everything is paid and signed.");
});

test("lists an automatic balance as a charge among the next steps, not as one to pay", () => {
  const balance = (charge: AutomaticPayment["charge"]) =>
    stepsAhead({
      ...shownBooking,
      status: "contract_sent",
      automatic_payment: { ...automaticPayment, charge },
    }).find(({ title }) => title === "The balance");
  expect(balance(automaticPayment.charge)).toMatchObject({
    text: "Charged to Visa ···4242.",
    when: "on 16 January",
  });
  expect(balance(null)?.text).toBe("Charged to Visa ···4242 as soon as both have signed.");
});

test("lists the show among the next steps until the timeline contains it", () => {
  const signed: BookingResponse = { ...shownBooking, status: "contract_signed" };
  const begun = { at: signed.starts_at, kind: "show" as const, text: "The show", by: null, detail: null };
  const titles = (booking: BookingResponse) => stepsAhead(booking).map(({ title }) => title);
  expect(titles(signed)).toContain("The show");
  const after = { ...signed, timeline: [...signed.timeline, begun] };
  expect(titles(after)).not.toContain("The show");
  const ahead = stepsAhead(signed).find(({ title }) => title === "The show");
  expect(ahead?.when).toBe(momentOf(after, begun));
});

test.each([
  [{ fee_cents: 0, deposit_cents: 0 }, "The price is on request.", "A request without a price."],
  [{ deposit_cents: 0 }, "Payments were not set up on this site when it was sent.", "A request without a payment."],
  [{}, "Payments are not set up on this site.", "A request without a payment."],
])("leads every viewer of a request that is answered by email to the answer: %o", (amounts, reason, title) => {
  const money = { ...shownBooking.money, ...amounts };
  const request: BookingResponse = { ...shownBooking, can: noPermissions, answered_by_email: true, money, date: null };
  const text = "Electric Dreams answers by email.";
  const mine: BookingResponse = { ...request, viewer: "artist" };
  for (const viewer of ["guest", "admin"] as const)
    expect(stepsAhead({ ...request, viewer })).toEqual([{ title: "The answer", text }]);
  expect(stepsAhead(mine)).toEqual([{ title: "The answer", text: "You answer Hannah Whitt by email." }]);
  const due = "Nothing is due, and the date is not held.";
  expect(statusMessageFor(mine).text).toBe(`${reason} ${due} Answer Hannah Whitt by email.`);
  expect(statusMessageFor(request).text).toBe(`${text} ${due}`);
  expect(statusMessageFor({ ...request, viewer: "admin" }).title).toBe(title);
});

test("explains that the date of an ended request is no longer available", () => {
  const lost = { ...shownBooking, status: "canceled", canceled_by: "system", cancel_code: "date_lost" } as const;
  const message = (viewer: BookingResponse["viewer"]) => {
    const { title, text } = statusMessageFor({ ...lost, viewer, money: { ...shownBooking.money, paid_cents: 0 } });
    return `${title} ${text}`;
  };
  for (const viewer of ["guest", "artist"] as const)
    expect(message(viewer)).toBe("This date is no longer available. The request has ended. Nothing was charged.");
});

test("explains where a canceled booking's money is", () => {
  const part = { part: null, since: null, until: null, next: "end" as const, artist_cents: null, payout: null };
  const why = (
    kinds: readonly BookingResponse["money"]["parts"][number]["held_by"][],
    more: Partial<BookingResponse> = {},
  ) =>
    describeReturned({
      ...shownBooking,
      status: "canceled",
      canceled_by: "promoter",
      money: {
        ...shownBooking.money,
        paid_cents: 37_500,
        parts: kinds.map((held_by) => ({ ...part, held_by, cents: 100 })),
      },
      ...more,
    });
  expect(describeReturned({ ...shownBooking, status: "canceled" })).toBe("Nothing was charged.");
  expect(why(["nobody", "returning"])).toBe("The payment is refunded in full to the card it was paid with.");
  expect(why(["nobody", "returning", "promoter"])).toBe("The payment is refunded in full.");
  expect(why(["promoter", "released"])).toBe("The payment is divided by the cancellation terms.");
  expect(why(["returning", "artist_owed", "commission"], { viewer: "artist" })).toBe(
    "The payment is divided by the cancellation terms.",
  );
  expect(why(["nobody", "released", "commission"])).toBe("By the cancellation terms, the payment is not refunded.");
  expect(why(["promoter", "released"], { canceled_by: "admin" })).toBe(
    "The payment is divided by an admin's decision.",
  );
  expect(why(["bank"])).toBe("The section Money shows where each part of the payment is.");
  const returning = (next: "after_dispute" | "refund_failed") => {
    const parts = [{ ...part, held_by: "returning" as const, cents: 37_500, next }];
    return why([], { money: { ...shownBooking.money, paid_cents: 37_500, parts } });
  };
  expect(returning("refund_failed")).toBe("The section Money shows where each part of the payment is.");
  expect(returning("after_dispute")).toBe(
    "The payment is refunded in full to the card it was paid with. $375 of the refund waits until the dispute of the payment has ended. If the bank returns it to the payer, it is not refunded again.",
  );
  expect(why(["promoter", "released"], { canceled_by: "both" })).toBe("You both agreed how the payment is divided.");
  expect(why(["promoter"], { canceled_by: "both", viewer: "admin" })).toBe(
    "Both parties agreed how the payment is divided.",
  );
});

test("states that a hold stops a request which waits for the artist's answer", () => {
  const request = { ...shownBooking, answer_due_at: "2027-02-01T12:00:00Z", can: noPermissions };
  expect(statusMessageFor(request).title).toBe("Your request is with the artist.");
  const date = { state: "held", message: "Saturday 13 February is on hold.", from: null };
  expect(statusMessageFor({ ...request, date })).toMatchObject({
    title: "Another promoter's hold comes first.",
    text: expect.stringMatching(
      /^Saturday 13 February is on hold\. Electric Dreams can accept your request only if that hold ends first, by /,
    ),
  });
});
