import { expect, test } from "vitest";
import { examples, gig, usd } from "#test/factories/emails.ts";
import { renderEmail } from "../catalog/render-email.ts";

test("labels a balance that is charged automatically as a charge, not as a payment to make", () => {
  const charged = { ...gig, side: "promoter" as const, balance: usd(112_500), balanceDue: "2027-01-16" };
  const lineOf = (charge: { card: string; day: string | null } | null) =>
    renderEmail("contract_signed", { ...charged, balanceCharge: charge }).details?.at(-1);
  const before = renderEmail("booking_confirmation", {
    ...charged,
    balanceCharge: { card: "Visa ···4242", day: null },
  });
  expect(lineOf({ card: "Visa ···4242", day: "2027-01-16" })).toEqual([
    "Balance, charged to Visa ···4242 on 16 Jan",
    "$1,125",
  ]);
  expect(before.details?.at(-1)?.[0]).toBe("Balance, charged to Visa ···4242 once both have signed");
  expect(lineOf({ card: "Visa ···4242", day: null })?.[0]).toBe("Balance, charged to Visa ···4242 now");
  expect(lineOf(null)?.[0]).toBe("Balance, due 16 Jan");
});

test("names the card of a refund by its payment, because the payer may be another person than the promoter", () => {
  const emails = [
    renderEmail("date_lost", { ...gig, refund: usd(22_500) }),
    renderEmail("refund_sent", { ...gig, refund: usd(22_500) }),
    renderEmail("booking_canceled", {
      ...gig,
      side: "promoter",
      by: "artist",
      action: "canceled",
      refund: usd(22_500),
    }),
    renderEmail("money_returned", { ...gig, refund: usd(22_500), reason: "it was paid twice" }),
  ];
  for (const { subject, paragraphs } of emails) {
    const text = [subject, ...paragraphs].join(" ");
    expect(text).toContain("to the card it was paid with");
    expect(text).not.toMatch(/your card|you paid with|to you\b/);
  }
});

test.each([
  ["2027-01-02 14:03", "It is held for you until 2027-01-02 14:03."],
  [null, "Until you open that page, other promoters can request the date."],
])("states who can request the date of an unpaid deposit, held until %s", (holdUntil, text) => {
  const page = "https://stagedoor.example/booking/1?link=a.b";
  const email = renderEmail("request_received", { ...gig, deposit: usd(37_500), holdUntil, page });
  expect(email.paragraphs[1]).toContain(text);
  expect(email.button?.label).toBe("Pay Deposit");
  expect(email.link).toEqual({ label: "View request", href: page });
  expect(email.after?.[0]).toContain("opens nothing else");
});

test("displays neither due day nor charge for a balance that cannot be paid on the site", () => {
  const open = { ...gig, side: "promoter" as const, balance: usd(40), balanceDue: "2027-01-16" };
  const lineOf = (balanceUnpayable: "payments_not_set_up" | "too_small") =>
    renderEmail("contract_signed", {
      ...open,
      balanceUnpayable,
      balanceCharge: { card: "Visa", day: null },
    }).details?.at(-1);
  expect(lineOf("too_small")).toEqual(["Balance, paid directly", "$0.40"]);
  expect(lineOf("payments_not_set_up")).toEqual(["Balance, cannot be paid on the site yet", "$0.40"]);
});

test("does not claim that both signed after an acceptance by click", () => {
  const firstParagraph = (side: "promoter" | "artist", clicked: boolean) =>
    renderEmail("contract_signed", { ...gig, side, clicked }).paragraphs[0];
  expect(firstParagraph("promoter", false)).toMatch(/^Both sides have signed the contract for /);
  expect(firstParagraph("promoter", true)).toMatch(
    /^You have accepted by click, and Electric Dreams has signed, the contract for /,
  );
  expect(firstParagraph("artist", true)).toMatch(
    /^Hannah Whitt has accepted by click, and you have signed, the contract for /,
  );
});

test("displays the promoter's organization, website and contact method to the artist", () => {
  const promoter = {
    organizationName: "Ellis Street Nights",
    website: "https://ellis.example",
    description: "",
    preferredContactMethod: "phone",
  } as const;
  expect(renderEmail("new_request", { ...gig, promoter }).details?.slice(-3)).toEqual([
    ["Organization", "Ellis Street Nights"],
    ["Website", "https://ellis.example"],
    ["Prefers contact by", "Phone"],
  ]);
});

test.each([
  [
    "dispute_opened",
    { ...examples.dispute_opened, side: "promoter", stage: "inquiry" },
    "has a question about $375",
    "disputes",
  ],
  [
    "dispute_opened",
    { ...examples.dispute_opened, side: "promoter", stage: "escalated" },
    "is now a dispute of $375",
    "has a question",
  ],
  ["dispute_closed", { ...examples.dispute_closed, outcome: "closed", share: usd(0) }, "is closed", "dispute was won"],
  ["dispute_closed", { ...examples.dispute_closed, outcome: "appeal_won" }, "won on appeal", "Nothing was taken"],
  [
    "dispute_opened",
    { ...examples.dispute_opened, side: "artist", byOther: true },
    "The bank of the person who paid for Hannah Whitt disputes $375 of",
    "nothing is paid out",
  ],
  [
    "dispute_opened",
    { ...examples.dispute_opened, side: "promoter", byOther: true, isPaidOut: false },
    "contact the person who paid by your payment link and write to",
    "bank of the card",
  ],
  [
    "dispute_closed",
    { ...examples.dispute_closed, side: "promoter", continues: true },
    "The booking stays active, and you do not need to pay this amount again.",
    "The booking page shows",
  ],
  [
    "dispute_closed",
    { ...examples.dispute_closed, outcome: "won" },
    "You keep your share of it.",
    "paid out as planned",
  ],
  [
    "dispute_opened",
    { ...examples.dispute_opened, side: "promoter", waiting: usd(37_500) },
    "The refund of $375 waits until then. We send it afterwards, unless",
    "by your payment link",
  ],
  [
    "dispute_closed",
    { ...examples.dispute_closed, side: "promoter", outcome: "appeal_won", refundDue: usd(37_500) },
    "Your refund of $375 had been completed by the lost dispute, so it is due again.",
    "remains part of this booking",
  ],
  [
    "dispute_closed",
    { ...examples.dispute_closed, side: "promoter", outcome: "won", refundDue: usd(37_500) },
    "The refund of $375 that waited for this decision is due now.",
    "remains part",
  ],
  [
    "dispute_closed",
    { ...examples.dispute_closed, side: "artist", hasShare: false, share: usd(0) },
    "You have no share of this payment",
    "deducted",
  ],
  [
    "dispute_opened",
    { ...examples.dispute_opened, side: "artist", isPaidOut: false, hasShare: false },
    "You have no share of this payment",
    "nothing is paid out",
  ],
  [
    "refund_sent",
    { refund: usd(37_500), byDispute: true, byOther: true },
    "The payer's bank has refunded $375",
    "our bank",
  ],
  [
    "no_show_decided",
    { ...examples.no_show_decided, waiting: usd(75_000) },
    "We refund $250 to the card it was paid with. Banks take 5 to 10 days to show it. $750 of the refund waits",
    "$1,000 is refunded",
  ],
  [
    "no_show_decided",
    { ...examples.no_show_decided, side: "artist", waiting: usd(75_000) },
    "$1,000 is refunded to the promoter, but $750 of it only when a dispute of the payment has ended",
    "We refund",
  ],
  [
    "no_show_decided",
    { ...examples.no_show_decided, released: usd(0), refunded: usd(0), heldUntil: "balance" },
    "The report is closed. The balance is still due.",
    "We continue to hold",
  ],
  ["payout_taken_back", { back: usd(45_000), cause: "dispute" }, "was lost after your payout", "refund"],
  [
    "refund_sent",
    { refund: usd(37_500), byDispute: true, rest: usd(10_000) },
    "This amount was due as a refund, so we do not send it again.\n$100 is still to be refunded.",
    "nothing more",
  ],
  [
    "refund_sent",
    { refund: usd(37_500), paidOutside: "Bank transfer of 24 November." },
    "in another way than to the card it was paid with.\nHow it is paid: Bank transfer of 24 November.",
    "accept",
  ],
  [
    "refund_failed",
    { refund: usd(37_500), returned: true, byOther: true },
    "to the card of the person who paid it by your payment link did not arrive",
    "could not",
  ],
  ["refund_failed", { refund: usd(37_500), returned: false, byOther: false }, "could not be sent", "did not arrive"],
] as const)("states in %s what happened, by its cause (%#)", (template, more, stated, unstated) => {
  const email = renderEmail(template, { ...gig, ...more } as never);
  const text = [email.subject, ...email.paragraphs].join("\n");
  expect(text).toContain(stated);
  expect(text).not.toContain(unstated);
});

test("sends no link for a new password by SMS to an account that waits for an admin", () => {
  const sms = (needsAdmin: boolean) =>
    renderEmail("account_change_undone", { ...examples.account_change_undone, needsAdmin }).sms;
  expect(sms(false)).toContain("Set a new password: https://");
  expect(sms(true)).toMatch(/until an admin has reviewed it\. Write to \S+\.$/);
});

test("states by SMS that the date may be released only once the artist may release it", () => {
  const sms = (stage: "overdue" | "decision") =>
    renderEmail("balance_overdue", { ...examples.balance_overdue, begun: null, stage }).sms;
  expect(sms("overdue")).not.toContain("released");
  expect(sms("decision")).toContain("The date may be released.");
});
