import { expect, test } from "vitest";
import { describeReturned, describeUnpayable, statusMessageOf, type ShownBooking, stepsAhead } from "./progress.ts";
import { noPermissions, shownBooking } from "./test-booking.ts";

test("a signed booking whose balance nobody can pay on the site says so and why, and is not called paid", () => {
  const signed: ShownBooking = { ...shownBooking, status: "contract_signed", can: noPermissions };
  const off: ShownBooking = { ...signed, balance_unpayable: "payments_not_set_up" };
  expect(statusMessageOf(off).text).toBe(
    "The balance of $1,125 cannot be paid here: payments are not set up on this site. The booking remains active. We email you once you can pay it.",
  );
  expect(statusMessageOf(off).title).toBe("The contract is signed.");
  expect(describeUnpayable({ ...off, viewer: "artist" })).toMatch(
    /We ask the promoter to pay once payments are set up\.$/,
  );
  const small = { ...signed.money, balance_cents: 40 };
  expect(statusMessageOf({ ...signed, balance_unpayable: "too_small", money: small }).text).toBe(
    "The balance of $0.40 cannot be paid here: it is too small for a card payment. Please pay it directly to each other. The booking remains active.",
  );
  expect(statusMessageOf({ ...signed, balance_paid: true }).title).toBe("Everything is paid and signed.");
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

test("of a canceled booking the promoter reads what is not refunded, the artist what is theirs after the commission", () => {
  const part = { part: null, since: null, until: null, next: "end" as const, artist_cents: null, payout: null };
  const parts = [
    { ...part, held_by: "bank" as const, cents: 37_500 },
    { ...part, held_by: "released" as const, cents: 10_000 },
  ];
  const money = { ...shownBooking.money, paid_cents: 47_500, parts };
  expect(describeReturned({ ...shownBooking, status: "canceled", canceled_by: "both", money })).toBe(
    "$375 was returned by your bank after a dispute. $100 of $475 is not refunded, as you both agreed.",
  );
  const divided = [
    { ...part, held_by: "artist_owed" as const, cents: 44_999 },
    { ...part, held_by: "commission" as const, cents: 5_000 },
  ];
  const canceled = { ...shownBooking, status: "canceled" as const, canceled_by: "promoter" as const };
  const ofArtist = { ...canceled, money: { ...money, paid_cents: 149_999, parts: divided } };
  expect(describeReturned({ ...ofArtist, viewer: "artist" })).toBe(
    "$449.99 of $1,499.99 is yours by the cancellation terms, after a commission of $50.",
  );
  expect(describeReturned({ ...ofArtist, viewer: "admin" })).toContain("$449.99 of $1,499.99 is the artist's by");
});
