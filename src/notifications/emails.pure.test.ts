import { expect, test } from "vitest";
import { textWithoutSecrets } from "#activity/index.ts";
import { oneLine } from "#delivery/rules.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { linkDestinations } from "#test/data/link-destinations.ts";
import { brand, examples, gig, usd } from "#test/factories/emails.ts";
import { catalog, type Channels } from "./catalog/catalog.ts";
import {
  isSecret,
  type TemplateName,
  type TemplateParams,
  templateTitle,
  renderEmail,
} from "./catalog/render-email.ts";
import { checkedHref, greeting, plainText, greetingName, longDay, money, refundText } from "./templates/email.ts";
import { buttonColours, contrast, emailHtml } from "./templates/layout.ts";

const names = Object.keys(catalog) as TemplateName[];

test.each(names)("renders %s with the same content in HTML and in text, without empty values", (name) => {
  const email = renderEmail(name, examples[name]);
  const html = emailHtml(email, brand);
  const text = plainText(email, [brand.emailFooter, brand.supportEmail]);
  expect(email.subject).toBe(oneLine(email.subject));
  expect(html, "long words break on a phone").toMatch(/class="sheet pad"[^>]*overflow-wrap:anywhere/);
  for (const part of [html, text]) {
    expect(part).not.toMatch(/undefined|null|NaN|\[object|Invalid Date/);
    for (const [, value] of email.details ?? []) expect(part.replaceAll("&amp;", "&")).toContain(value);
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

const withPoster: readonly TemplateName[] = [
  "request_received",
  "new_request",
  "booking_confirmation",
  "deposit_received",
  "balance_received",
  "balance_reminder",
  "balance_charge_planned",
  "balance_due",
  "balance_extended",
  "contract_sent",
  "contract_reminder",
  "contract_signed",
  "hold_changed",
  "booking_link",
  "review_invitation",
  "reviews_published",
];

test.each(names)("shows the artist's poster in %s exactly if it is listed", (name) => {
  const poster = "https://stagedoor.example/art/electric-dreams/share.png?v=1a2b3c";
  const html = (artist: object) => emailHtml(renderEmail(name, { ...examples[name], ...artist } as never), brand);
  expect(html({ poster })).not.toContain("<link");
  const pictures = html({ poster }).match(/<img [^>]*>/g) ?? [];
  expect(pictures).toHaveLength(withPoster.includes(name) ? 1 : 0);
  for (const picture of pictures) {
    expect(picture).toContain(`src="${poster}"`);
    expect(picture).toContain('alt="Electric Dreams"');
  }
  for (const none of [null, undefined]) expect(html({ poster: none })).not.toContain("<img");
});

const withoutBooking = new Set<TemplateName>([
  "payout_bank_changed",
  "payout_bank_failed",
  "payout_account_ended",
  "payout_account_restricted",
  "confirm_sign_up",
  "sign_up_known",
  "recovery",
  "magic_link",
  "email_change_new",
  "email_change_old",
  "email_changed",
  "reauthentication",
  "one_time_code",
  "phone_changed",
  "password_changed",
  "session_stolen",
  "second_factor_changed",
  "recovery_codes_changed",
  "recovery_code_used",
  "identity_added",
  "account_change_undone",
  "calendar_failing",
  "calendar_connection_failing",
  "hold_changed",
  "price_to_confirm",
  "role_changed",
  "account_suspended",
  "account_deleted",
  "admin_notice",
  "request_waits",
  "admin_request_refused",
  "claim_decided",
  "contact_message",
  "contact_acknowledgement",
]);

test.each(names.filter((name) => !withoutBooking.has(name)))(
  "names the booking of %s in email and SMS",
  async (name) => {
    const email = renderEmail(name, examples[name]);
    expect(plainText(email, [])).toContain(gig.number);
    expect(emailHtml(email, brand)).toContain(gig.number);
    if (email.sms !== undefined) expect(email.sms).toContain(gig.number);
  },
);

test("names the canceling party, the reason and the note in a cancellation, in the words of each recipient", () => {
  const canceled = { ...examples.booking_canceled, note: "The singer is ill." };
  const textOf = (more: Partial<typeof canceled>) => {
    const email = renderEmail("booking_canceled", { ...canceled, ...more });
    expect(email.sms).toContain("The singer is ill.");
    return plainText(email, []).replaceAll(/\s+/g, " ");
  };
  expect(textOf({})).toContain(
    "Electric Dreams canceled your booking for Saturday 13 February 2027 at The Waterworks. The artist cannot perform.",
  );
  expect(textOf({ side: "artist" })).toContain(
    "You canceled the booking of Hannah Whitt for Saturday 13 February 2027",
  );
  expect(textOf({ by: "admin", reason: null })).toContain("An admin canceled your booking of Electric Dreams for");
  expect(textOf({ by: "promoter", action: "declined_contract", side: "artist" })).toContain(
    "Hannah Whitt declined the contract, so the booking for",
  );
  expect(textOf({ by: "both" })).toContain("You both ended your booking of Electric Dreams");
  expect(textOf({ by: "system" })).toContain("Your booking of Electric Dreams for Saturday 13 February 2027");
  const request = { wasRequest: true, isFree: true, reason: null } as const;
  const declined = { ...request, action: "declined_request" } as const;
  expect(textOf(declined)).toContain("Electric Dreams declined your request for Saturday 13 February 2027");
  expect(textOf({ ...declined, side: "artist" })).toContain("You declined the request of Hannah Whitt for Saturday");
  expect(textOf({ ...request, by: "promoter" })).toContain("You canceled your request to Electric Dreams for Saturday");
  expect(textOf({ ...request, by: "system" })).toContain("Your request to Electric Dreams for Saturday 13 February");
  expect(textOf(declined)).not.toContain("free again");
  expect(textOf({})).toContain("Electric Dreams writes: > The singer is ill.");
  expect(textOf({ side: "artist" })).toContain("You wrote: > The singer is ill.");
  expect(textOf({ by: "promoter", action: "declined_contract", side: "artist" })).toContain("Hannah Whitt writes: >");
  expect(textOf({ by: "both" })).not.toMatch(/writes:|wrote:/);
});

test("states the payout date of the cancellation fee to the artist", () => {
  const textOf = (disputed: boolean) => {
    const payable = { from: new Date("2027-01-15T18:00:00Z"), timeZone: "America/Chicago", disputed };
    const canceled = { ...examples.booking_canceled, side: "artist", cancellationFee: usd(33_750), payable } as const;
    return plainText(renderEmail("booking_canceled", canceled), []).replaceAll(/\s+/g, " ");
  };
  expect(textOf(true)).toContain("Until the bank has decided, nothing is paid out.");
  expect(textOf(true)).not.toContain("15 January");
  expect(textOf(false)).toContain(
    "you keep $337.50 after the commission. It is paid out from Friday 15 January 2027, 12:00 (US Central), once refunds are confirmed.",
  );
});

test.each([
  [0, "you get $337.50 back"],
  [10_000, "you get $237.50 back"],
  [33_750, "you keep $337.50"],
])("names in the subject what of a returned share is sent (not deducted: %i)", (untaken, subject) => {
  const email = renderEmail("dispute_share_returned", { ...examples.dispute_share_returned, untaken: usd(untaken) });
  expect(email.subject).toContain(subject);
});

test("escapes markup in user input", () => {
  const hostile = '<img src=x onerror="alert(1)">';
  const email = renderEmail("new_request", {
    ...gig,
    promoterName: hostile,
    venueName: hostile,
    specialRequests: `</style><script>${hostile}`,
  });
  const html = emailHtml(email, brand);
  expect(html).not.toContain("<img");
  expect(html).not.toContain("<script");
  expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
});

test("throws for the address of a link or picture that is not http(s), in HTML and in text", () => {
  for (const href of ["javascript:alert(1)", "/promoter", "data:text/html,x", ""]) {
    const email = renderEmail("hold_ended", { ...gig, link: href });
    expect(() => checkedHref(href)).toThrow(TypeError);
    expect(() => plainText(email, [])).toThrow(TypeError);
    expect(() => emailHtml(email, brand)).toThrow(TypeError);
    const pictured = { ...renderEmail("hold_ended", gig), picture: { src: href, alt: "Electric Dreams" } };
    expect(() => emailHtml(pictured, brand)).toThrow(TypeError);
  }
});

test("does not greet by a name that looks like an advertisement, and writes the subject on one line", () => {
  for (const name of ["Win at evil.example", "http://evil", "a@b.example", "<b>", "", null])
    expect(greetingName(name)).toBeUndefined();
  expect(greeting({ subject: "", paragraphs: [], name: "Hannah Whitt" })).toBe("Dear Hannah Whitt,");
  expect(greetingName("Dr. José O'Neil-Smith")).toBe("Dr. José O'Neil-Smith");
  const email = renderEmail("new_request", { ...gig, venueName: "Hall\r\nBcc: everybody@example.org" });
  expect(oneLine(email.subject)).toBe("New request: Hall Bcc: everybody@example.org, Saturday 13 February");
});

test("greets without the name in emails about an account, because a stranger may have typed it", () => {
  for (const name of [
    "confirm_sign_up",
    "recovery",
    "magic_link",
    "email_change_new",
    "contact_acknowledgement",
  ] as const) {
    expect(greeting(renderEmail(name, examples[name]))).toBe("Hello,");
  }
});

test("mentions no code in the emails of an email change, but one in the email to sign in", () => {
  for (const name of ["email_change_new", "email_change_old"] as const) {
    const withCode = { ...examples[name], code: "850465" };
    const text = plainText(renderEmail(name, withCode), []);
    expect(text).toContain("The link works once, for one hour after the request.");
    expect(text).not.toMatch(/code|850465/);
  }
  expect(plainText(renderEmail("magic_link", examples.magic_link), [])).toContain(
    "Or enter this code within 10 minutes of the request.",
  );
});

test("formats money, dates and instants for display", () => {
  expect(money(usd(37_500))).toBe("$375");
  expect(money(usd(37_550))).toBe("$375.50");
  expect(longDay("2027-02-13")).toBe("Saturday 13 February 2027");
  expect(formatInstant(new Date("2026-11-28T20:03:00Z"), "America/Chicago")).toBe(
    "Saturday 28 November 2026, 14:03 (US Central)",
  );
});

test("has a readable button on every brand color", () => {
  for (const colour of ["#6366f1", "#ffe600", "#00c853", "#d32f2f", "#000000", "#ffffff", "#808080", "#767676"]) {
    const { fill, on } = buttonColours(colour);
    expect(contrast(fill, on), colour).toBeGreaterThanOrEqual(4.5);
  }
});

test("returns the specification's name of a template", () => {
  expect(
    ["booking_confirmation", "deposit_received", "contract_sent", "contract_signed", "payment_failed"].map(
      templateTitle,
    ),
  ).toEqual(["Booking Confirmation", "Deposit Received", "Contract Sent", "Contract Signed", "Payment Failed"]);
});

test.each(names)("has an SMS text of %s exactly if the catalog has a recipient of one", (name) => {
  const recipients = Object.values<Channels<string>>(catalog[name].to);
  expect(renderEmail(name, examples[name]).sms !== undefined).toBe(recipients.some(({ sms }) => sms !== undefined));
});

test.each(Object.keys(examples) as TemplateName[])(
  "stores no working link to a booking or payment of %s after sending",
  async (template) => {
    const secrets = ["q1w2e3.Zm9vYmFyYmF6", "Zm9vYmFyYmF6cXV4"];
    const links = [
      `https://stagedoor.example/booking/1?link=${secrets[0]}`,
      `https://stagedoor.example/pay/1/deposit?key=${secrets[1]}`,
    ];
    for (const secret of links) {
      const email = renderEmail(template, { ...examples[template], link: secret } as TemplateParams<TemplateName>);
      const kept = [plainText(email, []), emailHtml(email, brand), email.sms ?? ""].map((text) =>
        isSecret(template) ? "" : textWithoutSecrets(text),
      );
      for (const text of kept) for (const part of secrets) expect(text).not.toContain(part);
    }
  },
);

test("a refund in two parts names no single card, because another person may have paid the balance", () => {
  expect(refundText({ amount: 150_000, currency: "usd" }, true)).toBe(
    "We refund $1,500 in two parts, of the deposit and of the balance, each to the card that paid it. Banks take 5 to 10 days to show it.",
  );
});
