import { expect, test } from "vitest";
import { describePayment, describeTotals } from "./booking-format.ts";

const paid = (amount: number, refunded_cents = 0) => ({ amount, refunded_cents, status: "succeeded" });
const booking = { status: "deposit_paid", fee_cents: 150_000, currency: "usd", payments: [paid(37_500)] };

test("the line below a list adds fees and payments, each currency for itself, and a canceled booking owes nothing more", () => {
  expect(describeTotals([booking, { ...booking, fee_cents: 100_000, payments: [] }])).toBe(
    "2 bookings, fees $2,500, paid $375",
  );
  const euros = { ...booking, currency: "eur", payments: [paid(37_550)] };
  expect(describeTotals([booking, euros])).toBe("2 bookings, fees $1,500.00 + €1,500.00, paid $375.00 + €375.50");
  const canceled = { ...booking, status: "canceled", payments: [paid(37_500, 10_000)] };
  expect(describeTotals([canceled])).toBe("1 booking, fees $0, paid $275");
});

test("a canceled booking says who keeps what was paid", () => {
  expect(describePayment({ ...booking, status: "canceled" })).toBe("$375 stays with the artist");
  expect(describePayment({ ...booking, status: "canceled", payments: [] })).toBe("nothing paid");
});
