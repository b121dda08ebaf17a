import { expect, test } from "vitest";
import { buttonColours, contrast, emailHtml } from "./templates/layout.ts";
import { checkedHref, greeting, plainText } from "./email.ts";
import { artistPreferences, promoterPreferences } from "./preferences.ts";
import { textWithoutSecrets } from "#activity/index.ts";
import {
  secretTemplates,
  type TemplateName,
  type TemplateParams,
  templates,
  templateTitle,
  write,
} from "./templates/index.ts";
import { linkDestinations } from "./templates/link-destinations.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { greetingName, longDay, money, oneLine } from "./format.ts";

const brand = {
  primaryColor: "#6366f1",
  logoUrl: "",
  emailFooter: "Bookings for live artists.",
  supportEmail: "help@example.org",
};
const usd = (amount: number) => ({ amount, currency: "usd" });
const link = "https://stagedoor.example/promoter/bookings?a=1&b=2";
const gig = {
  artistName: "Electric Dreams",
  promoterName: "Hannah Whitt",
  eventDate: "2027-02-13",
  eventTime: "20:30:00",
  venueName: "The Waterworks",
  link,
};
const oneTime = { link, code: "123456", minutes: 60 };

const examples: { [T in TemplateName]: TemplateParams<T> } = {
  request_received: { ...gig, price: usd(150_000), deposit: usd(37_500) },
  new_request: {
    ...gig,
    eventType: "wedding",
    guestCount: 80,
    duration: "2 sets",
    specialRequests: "No smoke",
    price: usd(150_000),
  },
  booking_confirmation: { ...gig, side: "artist", balance: usd(112_500), balanceDue: "2027-01-16" },
  deposit_received: { ...gig, side: "promoter", paid: usd(37_500), balance: usd(112_500), balanceDue: "2027-01-16" },
  balance_received: { ...gig, side: "promoter", paid: usd(112_500) },
  balance_reminder: { ...gig, due: usd(112_500), dueDay: "2027-01-16" },
  balance_charge_planned: {
    ...gig,
    due: usd(112_500),
    card: "Visa ···4242",
    chargeAt: new Date("2027-01-16T15:00:00Z"),
    timeZone: "America/Chicago",
  },
  balance_charge_failed: { ...gig, due: usd(112_500), why: "authentication_required" },
  balance_due: { ...gig, due: usd(112_500), dueDay: null },
  balance_overdue: {
    ...gig,
    due: usd(112_500),
    stage: "last_call",
    decisionAt: new Date("2027-01-30T15:00:00Z"),
    timeZone: "America/Chicago",
  },
  balance_extended: { ...gig, due: usd(112_500), until: "2027-02-05" },
  balance_decision: { ...gig, due: usd(112_500) },
  contract_sent: {
    ...gig,
    side: "promoter",
    until: new Date("2026-11-28T20:03:00Z"),
    timeZone: "America/Chicago",
    price: usd(150_000),
  },
  contract_code: { code: "048213", minutes: 10, number: "SD-7KQ4MN" },
  contract_reminder: {
    ...gig,
    side: "artist",
    until: new Date("2026-11-28T20:03:00Z"),
    timeZone: "America/Chicago",
    otherSigned: true,
  },
  contract_signed: { ...gig, side: "artist", balance: usd(112_500) },
  contract_attested: {
    ...gig,
    side: "promoter",
    reason: "Signed on paper at the venue.",
    paper: "ab".repeat(32),
    until: new Date("2026-11-25T20:03:00Z"),
    timeZone: "America/Chicago",
    balance: usd(112_500),
  },
  payment_failed: { ...gig, due: usd(37_500), kind: "deposit", reason: "The card was declined." },
  checkout_declined: {
    ...gig,
    due: usd(37_500),
    heldUntil: new Date("2026-11-28T20:03:00Z"),
    timeZone: "America/Chicago",
  },
  hold_ended: gig,
  booking_link: { ...gig, days: 30 },
  date_lost: { ...gig, refund: usd(37_500) },
  refund_sent: { ...gig, refund: usd(37_500) },
  booking_canceled: { ...gig, side: "promoter", reason: "Storm", refund: usd(37_500) },
  review_invitation: { ...gig, side: "promoter", until: new Date("2027-02-27T20:03:00Z"), timeZone: "America/Chicago" },
  reviews_published: { ...gig, side: "artist", both: true },
  money_returned: { ...gig, refund: usd(37_500), reason: "this was paid already" },
  no_show_reported: { ...gig, note: "Nobody came to the stage." },
  force_majeure: {
    ...gig,
    side: "artist",
    step: "proposed",
    own: false,
    reason: "The hall is under water.",
    refund: usd(37_500),
    kept: usd(0),
    commission: null,
    until: { at: new Date("2027-02-01T12:00:00Z"), timeZone: "America/Chicago" },
  },
  no_show_decided: {
    ...gig,
    side: "promoter",
    released: usd(50_000),
    refunded: usd(100_000),
    decision: "The artist came two hours late.",
    settled: true,
  },
  paid_out: { ...gig, paid: usd(135_000) },
  dispute_opened: {
    ...gig,
    disputed: usd(37_500),
    stage: "opened",
    reason: "The cardholder says that they did not make this payment",
  },
  dispute_closed: { ...gig, disputed: usd(37_500), outcome: "lost", share: usd(33_750), held: usd(0) },
  dispute_share_returned: { ...gig, disputed: usd(37_500), share: usd(33_750) },
  payout_taken_back: { ...gig, back: usd(45_000), cause: "refund" },
  payout_account_ended: { artistName: "Electric Dreams", reason: "no longer exists at the payment provider", link },
  payout_bank_changed: { artistName: "Electric Dreams", until: new Date("2026-11-28T20:03:00Z"), link },
  money_alarm: { message: "A payment of $375.00 belongs to no booking and goes back in full.", link },
  confirm_sign_up: oneTime,
  sign_up_known: { link },
  recovery: oneTime,
  magic_link: oneTime,
  email_change_new: oneTime,
  email_change_old: { ...oneTime, newEmail: "new@example.org" },
  email_changed: { newEmail: "new@example.org", link, supportEmail: brand.supportEmail },
  reauthentication: { code: "123456", minutes: 10 },
  one_time_code: { code: "123456", minutes: 10 },
  phone_changed: { ending: "143", link, supportEmail: brand.supportEmail },
  password_changed: { link },
  session_stolen: { device: "Firefox on Windows", link },
  second_factor_changed: { added: true, only: true, link },
  recovery_codes_changed: { made: true, link },
  account_change_undone: {
    undone: ["password", "email", "factor_added"],
    needsAdmin: false,
    link,
    supportEmail: brand.supportEmail,
  },
  role_changed: { name: "Ada", role: "artist", link },
  account_suspended: { suspended: true, supportEmail: brand.supportEmail, link },
  admin_notice: { message: "Robin Vale is an admin now.", link },
  request_waits: { message: "Robin Vale asks to become an admin.", link },
  admin_request_refused: { name: "Ada", link },
  claim_decided: {
    artistName: "Electric Dreams",
    granted: true,
    note: "Welcome",
    link: "https://stagedoor.example/artist",
  },
  contact_message: { name: "Ada", email: "ada@example.org", subject: "Hello", message: "Two\nlines" },
  contact_acknowledgement: { supportEmail: brand.supportEmail },
};
const names = Object.keys(templates) as TemplateName[];

test.each(names)("%s says the same in HTML and in text, without a gap", async (name) => {
  const email = write(name, examples[name]);
  const html = await emailHtml(email, brand);
  const text = plainText(email, [brand.emailFooter, brand.supportEmail]);
  expect(email.subject).toBe(oneLine(email.subject));
  for (const part of [html, text]) {
    expect(part).not.toMatch(/undefined|null|NaN|\[object|Invalid Date/);
    for (const [, value] of email.facts ?? []) expect(part.replaceAll("&amp;", "&")).toContain(value);
    if (email.code) expect(part).toContain(email.code);
    expect(part).toContain(brand.supportEmail);
  }
  expect(email.button !== undefined, "a link and where it leads belong together").toBe(
    linkDestinations[name].length > 0,
  );
  if (email.button) {
    expect(text).toContain(`\n${email.button.href}\n`);
    expect(html).toContain(`href="${email.button.href.replaceAll("&", "&amp;")}"`);
  }
  for (const line of text.split("\n")) if (!/https?:/.test(line)) expect(line.length).toBeLessThanOrEqual(90);
});

test("markup that people typed stays text", async () => {
  const hostile = '<img src=x onerror="alert(1)">';
  const email = write("new_request", {
    ...gig,
    promoterName: hostile,
    venueName: hostile,
    specialRequests: `</style><script>${hostile}`,
  });
  const html = await emailHtml(email, brand);
  expect(html).not.toContain("<img");
  expect(html).not.toContain("<script");
  expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
});

test("a link that is no web address is refused, in HTML and in text", async () => {
  for (const href of ["javascript:alert(1)", "/promoter", "data:text/html,x", ""]) {
    const email = write("hold_ended", { ...gig, link: href });
    expect(() => checkedHref(href)).toThrow(TypeError);
    expect(() => plainText(email, [])).toThrow(TypeError);
    await expect(emailHtml(email, brand)).rejects.toThrow(TypeError);
  }
});

test("a name that advertises is not greeted, and a subject stays on one line", () => {
  for (const name of ["Win at evil.example", "http://evil", "a@b.example", "<b>", "", null])
    expect(greetingName(name)).toBeUndefined();
  expect(greeting({ subject: "", paragraphs: [], name: "Hannah Whitt" })).toBe("Dear Hannah Whitt,");
  expect(greetingName("Dr. José O'Neil-Smith")).toBe("Dr. José O'Neil-Smith");
  const email = write("new_request", { ...gig, venueName: "Hall\r\nBcc: everybody@example.org" });
  expect(oneLine(email.subject)).toBe("New request: Hall Bcc: everybody@example.org, Saturday 13 February");
});

test("emails about an account greet nobody by a name that a stranger may have typed", () => {
  for (const name of [
    "confirm_sign_up",
    "recovery",
    "magic_link",
    "email_change_new",
    "contact_acknowledgement",
  ] as const) {
    expect(greeting(write(name, examples[name]))).toBe("Hello,");
  }
});

test("money, dates and instants are written for people", () => {
  expect(money(usd(37_500))).toBe("$375");
  expect(money(usd(37_550))).toBe("$375.50");
  expect(longDay("2027-02-13")).toBe("Saturday 13 February 2027");
  expect(formatInstant(new Date("2026-11-28T20:03:00Z"), "America/Chicago")).toBe(
    "Saturday 28 November 2026, 14:03 (US Central)",
  );
});

test("the button can be read on every brand colour", () => {
  for (const colour of ["#6366f1", "#ffe600", "#00c853", "#d32f2f", "#000000", "#ffffff", "#808080", "#767676"]) {
    const { fill, on } = buttonColours(colour);
    expect(contrast(fill, on), colour).toBeGreaterThanOrEqual(4.5);
  }
});

test("a template is called by its name in the specification", () => {
  expect(
    ["booking_confirmation", "deposit_received", "contract_sent", "contract_signed", "payment_failed"].map(
      templateTitle,
    ),
  ).toEqual(["Booking Confirmation", "Deposit Received", "Contract Sent", "Contract Signed", "Payment Failed"]);
});

test("a balance that is charged by itself is named so, and never as one to pay", () => {
  const charged = { ...gig, side: "promoter" as const, balance: usd(112_500), balanceDue: "2027-01-16" };
  const lineOf = (charge: { card: string; day: string | null } | null) =>
    write("contract_signed", { ...charged, balanceCharge: charge }).facts?.at(-1);
  const before = write("booking_confirmation", { ...charged, balanceCharge: { card: "Visa ···4242", day: null } });
  expect(lineOf({ card: "Visa ···4242", day: "2027-01-16" })).toEqual([
    "Balance, charged to Visa ···4242 on 16 Jan",
    "$1,125",
  ]);
  expect(before.facts?.at(-1)?.[0]).toBe("Balance, charged to Visa ···4242 once both have signed");
  expect(lineOf({ card: "Visa ···4242", day: null })?.[0]).toBe("Balance, charged to Visa ···4242 now");
  expect(lineOf(null)?.[0]).toBe("Balance, due 16 Jan");
});

test("a balance that nobody can pay on the site has no due day and no charge", () => {
  const open = { ...gig, side: "promoter" as const, balance: usd(40), balanceDue: "2027-01-16" };
  const lineOf = (balanceUnpayable: "payments_not_set_up" | "too_small") =>
    write("contract_signed", { ...open, balanceUnpayable, balanceCharge: { card: "Visa", day: null } }).facts?.at(-1);
  expect(lineOf("too_small")).toEqual(["Balance, settled with each other", "$0.40"]);
  expect(lineOf("payments_not_set_up")).toEqual(["Balance, cannot be paid on the site yet", "$0.40"]);
});

test("after an acceptance by click nobody reads that both have signed", () => {
  const said = (side: "promoter" | "artist", clicked: boolean) =>
    write("contract_signed", { ...gig, side, clicked }).paragraphs[0];
  expect(said("promoter", false)).toMatch(/^Both sides have signed the contract for /);
  expect(said("promoter", true)).toMatch(
    /^You have accepted by click, and Electric Dreams has signed, the contract for /,
  );
  expect(said("artist", true)).toMatch(/^Hannah Whitt has accepted by click, and you have signed, the contract for /);
});

test("every message that a preference can ask for by SMS has the words for it", () => {
  const bySms = [artistPreferences, promoterPreferences].flatMap((side) =>
    Object.entries(side).flatMap(([name, { sms }]) => (sms ? [name as TemplateName] : [])),
  );
  expect(bySms.length).toBeGreaterThan(5);
  expect([...bySms, "date_lost" as const].filter((name) => !write(name, examples[name]).sms)).toEqual([]);
});

test("the artist reads who asks, as far as the promoter's settings say it", () => {
  const promoter = {
    organizationName: "Ellis Street Nights",
    website: "https://ellis.example",
    description: "",
    preferredContactMethod: "phone",
  } as const;
  expect(write("new_request", { ...gig, promoter }).facts?.slice(-3)).toEqual([
    ["Organization", "Ellis Street Nights"],
    ["Website", "https://ellis.example"],
    ["Prefers contact by", "Phone"],
  ]);
});

test.each(Object.keys(examples) as TemplateName[])(
  "of %s nothing is kept by which a booking can be opened or paid once it has been sent",
  async (template) => {
    const secrets = ["q1w2e3.Zm9vYmFyYmF6", "Zm9vYmFyYmF6cXV4"];
    const links = [
      `https://stagedoor.example/booking/1?link=${secrets[0]}`,
      `https://stagedoor.example/pay/1/deposit?key=${secrets[1]}`,
    ];
    for (const secret of links) {
      const email = write(template, { ...examples[template], link: secret } as TemplateParams<TemplateName>);
      const kept = [plainText(email, []), await emailHtml(email, brand), email.sms ?? ""].map((text) =>
        secretTemplates.has(template) ? "" : textWithoutSecrets(text),
      );
      for (const text of kept) for (const part of secrets) expect(text).not.toContain(part);
    }
  },
);

test.each([
  ["dispute_opened", { disputed: usd(37_500), reason: "No reason", stage: "inquiry" }, "asks about $375", "disputes"],
  [
    "dispute_opened",
    { disputed: usd(37_500), reason: "No reason", stage: "escalated" },
    "has become a dispute of $375",
    "asks",
  ],
  [
    "dispute_closed",
    { disputed: usd(37_500), outcome: "closed", share: usd(0), held: usd(0) },
    "is closed",
    "dispute was won",
  ],
  [
    "dispute_closed",
    { disputed: usd(37_500), outcome: "appeal_won", share: usd(33_750), held: usd(0) },
    "won by an appeal",
    "Nothing was taken",
  ],
  ["payout_taken_back", { back: usd(45_000), cause: "dispute" }, "the dispute was lost", "refund"],
  ["refund_sent", { refund: usd(37_500), byDispute: true }, "Your bank has given you $375", "We have sent"],
] as const)("%s says what happened, by its cause (%#)", (template, more, said, unsaid) => {
  const email = write(template, { ...gig, ...more } as never);
  const text = [email.subject, ...email.paragraphs].join("\n");
  expect(text).toContain(said);
  expect(text).not.toContain(unsaid);
});
