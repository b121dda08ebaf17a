import { expect, test } from "vitest";
import { describePaid, describePayment, describeTotals, sumTotals } from "./booking-format.ts";

const paid = (amount: number, refunded_cents = 0) => ({
  amount,
  refunded_cents,
  refunding_cents: 0,
  disputed_cents: 0,
  status: "succeeded",
});
const booking = {
  status: "deposit_paid",
  fee_cents: 150_000,
  deposit_cents: 37_500,
  currency: "usd",
  payments: [paid(37_500)],
};

test("writes fees and payments below a list, each currency separately, and cents only where an amount has them", () => {
  const dollars = { currency: "usd", bookings: 2, canceled: 0, fee_cents: 250_000, paid_cents: 37_500 };
  expect(describeTotals([dollars])).toBe("2 bookings, total $2,500, paid $375");
  const euros = { currency: "eur", bookings: 1, canceled: 0, fee_cents: 150_000, paid_cents: 37_550 };
  expect(describeTotals([dollars, euros])).toBe("3 bookings, total $2,500 + €1,500, paid $375 + €375.50");
  const free = { currency: "usd", bookings: 1, canceled: 0, fee_cents: 0 };
  expect(describeTotals([free])).toBe("1 booking, total $0");
});

test("names the canceled bookings that the fees leave out, and shows no fees of canceled bookings alone", () => {
  const dollars = { currency: "usd", bookings: 3, canceled: 1, fee_cents: 250_000, paid_cents: 262_500 };
  expect(describeTotals([dollars])).toBe("3 bookings, total $2,500 without canceled");
  expect(sumTotals([dollars])).toMatchObject({ fees: "$2,500", note: "without canceled" });
  const canceled = { currency: "usd", bookings: 94, canceled: 94, fee_cents: 0 };
  expect(describeTotals([canceled])).toBe("94 bookings");
  expect(sumTotals([canceled])).toMatchObject({ fees: undefined, note: undefined });
});

test("shows the unrefunded amount of a canceled booking, and a lost dispute in every status", () => {
  expect(describePayment({ ...booking, status: "canceled" })).toBe("$375 not refunded");
  expect(describePayment({ ...booking, status: "canceled", payments: [] })).toBe("nothing paid");
  const lost = [{ ...paid(37_500), disputed_cents: 37_500 }];
  for (const status of ["canceled", "completed"])
    expect(describePayment({ ...booking, status, payments: lost })).toBe("$375 returned by the bank");
  expect(describePaid({ ...booking, payments: lost })).toEqual({
    amount: "$0",
    note: "$375 returned by bank",
  });
  const half = [{ ...paid(37_500), disputed_cents: 18_750 }];
  const halves = { ...booking, payments: half };
  expect(describePaid(halves)).toEqual({ amount: "$187.50", note: "$187.50 returned by bank" });
});

test("distinguishes a refund in transit from one that has arrived", () => {
  const canceled = { ...booking, status: "canceled" };
  const onItsWay = { ...canceled, payments: [{ ...paid(37_500, 37_500), refunding_cents: 37_500 }] };
  expect(describePayment(onItsWay)).toBe("$375 being refunded");
  expect(describePaid(onItsWay)).toEqual({ amount: "$0", note: "$375 being refunded" });
  const partly = { ...canceled, payments: [{ ...paid(37_500, 30_000), refunding_cents: 10_000 }] };
  expect(describePayment(partly)).toBe("$75 not refunded, $100 being refunded");
  expect(describePaid(partly)).toEqual({ amount: "$75", note: "$100 being refunded" });
  const arrived = { ...canceled, payments: [paid(37_500, 37_500)] };
  expect(describePayment(arrived)).toBe("$375 refunded");
});

test("calls the paid money held in the artist's list until it is paid out", () => {
  const artistBooking = { ...booking, payout_status: null };
  expect(describePayment(booking)).toBe("$375 paid");
  expect(describePayment(artistBooking)).toBe("$375 held");
  const full = { ...artistBooking, payments: [paid(37_500), paid(112_500)] };
  expect(describePayment({ ...full, payout_status: undefined })).toBe("paid in full");
  expect(describePayment(full)).toBe("held in full");
  const over = { ...full, status: "completed" };
  for (const payout_status of ["held", "pending", "frozen", "failed"] as const)
    expect(describePayment({ ...over, payout_status })).toBe("held in full");
  expect(describePayment({ ...over, payout_status: "in_transit" })).toBe("payout in transit");
  expect(describePayment({ ...over, payout_status: "paid" })).toBe("paid out");
  const dollars = { currency: "usd", bookings: 1, canceled: 0, fee_cents: 150_000, paid_cents: 37_500 };
  expect(describeTotals([dollars], "paid in")).toBe("1 booking, total $1,500, paid in $375");
});

test("names the open part of an unpaid booking, and none for a request without a deposit", () => {
  const unpaid = { ...booking, payments: [] };
  expect(describePayment({ ...unpaid, status: "initiated" })).toBe("deposit unpaid");
  expect(describePayment({ ...unpaid, status: "initiated", deposit_cents: 0 })).toBe("no deposit");
  for (const status of ["deposit_paid", "contract_sent", "contract_signed"])
    expect(describePayment({ ...unpaid, status, deposit_cents: 0 })).toBe("balance unpaid");
});
