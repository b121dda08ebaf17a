import { expect, test, vi } from "vitest";
import { stepsOf } from "./paid-steps.ts";
import type { PaidBooking } from "./use-paid-booking.ts";

const paid = {
  payment: { amount: 37_500, currency: "usd", status: "succeeded", kind: "deposit", payment_date: null },
  booking: {
    id: "00000000-0000-4000-8000-000000000002",
    number: "SD-7KQ4MN",
    event_date: "2999-02-13",
    event_time: "20:30",
    time_zone: "America/Chicago",
    venue_name: "The Waterworks",
    promoter_name: "Hannah Whitt",
    promoter_email: "hannah@whitt.example",
    status: "deposit_paid",
    cancel_code: null,
    balance_cents: 112_500,
    balance_paid_at: null,
  },
  contract: null,
  artist: { slug: "electric-dreams", name: "Electric Dreams", genre: "electronic", picture_url: "" },
  balance: 112_500,
  automatic: null,
  viewer: "guest",
} as PaidBooking;
const balanceOf = (of: PaidBooking) => stepsOf(of).find(({ title }) => title === "Balance");

test("shows the balance to pay by its day after the deposit", () => {
  expect(balanceOf(paid)).toMatchObject({ text: "$1,125, once both sides have signed.", when: "by 16 January" });
});

test("shows the day of the balance until that day begins at the venue, for a viewer in another time zone", () => {
  const booking = { ...paid.booking, event_date: "2027-02-13" };
  const at = (now: string) => {
    vi.setSystemTime(new Date(now));
    return balanceOf({ ...paid, booking })?.when;
  };
  expect(at("2027-01-16T05:59:00Z")).toBe("by 16 January");
  expect(at("2027-01-16T06:00:00Z")).toBeUndefined();
});

test("shows an automatic balance with its card and day", () => {
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

test("shows the current state of contract and balance whenever the page is opened", () => {
  const contractOf = (of: PaidBooking) => stepsOf(of).find(({ title }) => title === "Contract");
  // The template can name who signs first, which is unknown until the contract is sent.
  expect(contractOf(paid)?.text).toBe("We email it within 24 hours, for both of you to sign.");
  const signers = (promoter: string | null, artist: string | null) => [
    { side: "promoter" as const, name: "Hannah Whitt", signed_at: promoter, method: "here" },
    { side: "artist" as const, name: "Electric Dreams", signed_at: artist, method: "here" },
  ];
  const at = "2998-12-01T12:00:00Z";
  const sent = {
    status: "sent" as const,
    sent_at: at,
    signed_at: null,
    expires_at: "2998-12-08T12:00:00Z",
    first_signer: null,
    signers: signers(null, null),
  };
  expect(contractOf({ ...paid, contract: sent })).toMatchObject({
    text: "We emailed it to you. Either of you can sign first.",
    when: expect.stringMatching(/^by Sat 8 Dec 2998 \d\d:\d\d, your time$/),
  });
  expect(contractOf({ ...paid, contract: { ...sent, signers: signers(at, null) } })?.text).toBe(
    "You have signed. Electric Dreams has not signed yet.",
  );
  expect(contractOf({ ...paid, contract: { ...sent, signers: signers(null, at) } })?.text).toBe(
    "Electric Dreams has signed. It is your turn.",
  );
  const signed = {
    ...paid,
    contract: { ...sent, status: "signed" as const, signed_at: at, expires_at: null, signers: signers(at, at) },
  };
  expect(contractOf(signed)).toMatchObject({ text: "Signed by both sides.", done: true });
  expect(balanceOf(signed)?.text).toBe("$1,125.");
  const settled = {
    ...signed,
    balance: 0,
    booking: { ...paid.booking, balance_paid_at: at, status: "completed" as const },
  };
  expect(stepsOf(settled).map(({ title, done }) => [title, done])).toEqual([
    ["Deposit received", true],
    ["Contract", true],
    ["Balance received", true],
    ["The show", true],
  ]);
});
