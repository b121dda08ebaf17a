import { expect, test } from "vitest";
import { stepsOf } from "./paid-steps.ts";
import type { PaidBooking } from "./use-paid-booking.ts";

const paid: PaidBooking = {
  payment: { amount: 37_500, currency: "usd", status: "succeeded", kind: "deposit", payment_date: null },
  booking: {
    id: "00000000-0000-4000-8000-000000000002",
    number: "SD-7KQ4MN",
    event_date: "2999-02-13",
    event_time: "20:30",
    venue_name: "The Waterworks",
    promoter_name: "Hannah Whitt",
    promoter_email: "hannah@whitt.example",
    status: "deposit_paid",
    cancel_code: null,
  },
  artist: { slug: "electric-dreams", name: "Electric Dreams", genre: "electronic", picture_url: "" },
  balance: 112_500,
  automatic: null,
};
const balanceOf = (of: PaidBooking) => stepsOf(of).find(({ title }) => title === "Balance");

test("after the deposit the balance is one to pay, by its day", () => {
  expect(balanceOf(paid)).toMatchObject({ text: "$1,125, once both sides have signed.", when: "by 16 January" });
});

test("a balance that the promoter has agreed to be charged is named so, with its day", () => {
  const automatic = {
    state: "planned" as const,
    amount_cents: 112_500,
    card: "Visa ···4242",
    card_ends: "12/2030",
    charge: { day: "2999-01-16", time: "09:00" },
    can_withdraw: true,
  };
  expect(balanceOf({ ...paid, automatic })).toMatchObject({
    text: "$1,125, charged to Visa ···4242.",
    when: "on 16 January",
  });
  expect(balanceOf({ ...paid, automatic: { ...automatic, charge: null } })?.text).toMatch(
    /as soon as both have signed/,
  );
});
