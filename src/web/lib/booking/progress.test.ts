import { expect, test } from "vitest";
import { describeReturned, nowOf, type ShownBooking, stepsAhead } from "./progress.ts";
import { noPermissions, shownBooking } from "./test-booking.ts";

test("a signed booking whose balance is open is not called paid, also where it cannot be paid on the site", () => {
  const signed: ShownBooking = { ...shownBooking, status: "contract_signed", can: noPermissions };
  expect(nowOf(signed).text).toBe(
    "The balance of $1,125 cannot be paid here at this moment: payments are not set up on this site.",
  );
  const small = { ...signed, balance_cents: 40, money: { ...signed.money, balance_cents: 40 } };
  expect(nowOf(small).text).toBe(
    "The balance of $0.40 is too small for a card payment. Please settle it with each other.",
  );
  expect(nowOf({ ...signed, balance_paid: true }).title).toBe("Everything is paid and signed.");
});

test("a balance that is charged to the kept card is named so among the steps ahead, not as one to pay", () => {
  const balance = (charge: { day: string; time: string } | null) =>
    stepsAhead({
      ...shownBooking,
      status: "contract_sent",
      automatic_payment: {
        state: "planned",
        amount_cents: 112_500,
        card: "Visa ···4242",
        card_ends: "12/2030",
        charge,
        can_withdraw: true,
      },
    }).find(({ title }) => title === "The balance");
  expect(balance({ day: "2027-01-16", time: "09:00" })).toMatchObject({
    text: "$1,125, charged to Visa ···4242.",
    when: "on 16 January",
  });
  expect(balance(null)?.text).toBe("$1,125, charged to Visa ···4242 as soon as both have signed.");
});

test("of one that both ended it says that they agreed, and what the payer's bank took never stays with the artist", () => {
  const part = { part: null, since: null, until: null, next: "end" as const, artist_cents: null, payout: null };
  const parts = [
    { ...part, held_by: "bank" as const, cents: 37_500 },
    { ...part, held_by: "released" as const, cents: 10_000 },
  ];
  const money = { ...shownBooking.money, paid_cents: 47_500, parts };
  expect(describeReturned({ ...shownBooking, status: "canceled", canceled_by: "both", money })).toBe(
    "$375 was taken back by your bank. $100 of $475 stays with the artist as you both agreed.",
  );
});
