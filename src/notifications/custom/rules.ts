/** The emails that an admin may reword or disable, with their default texts. `{{name}}` is replaced by a value. Nothing is evaluated. */

export const editableEmails = [
  "booking_confirmation",
  "deposit_received",
  "contract_sent",
  "contract_signed",
  "payment_failed",
] as const;
export type EditableEmail = (typeof editableEmails)[number];

export const emailRecipients = ["promoter", "artist"] as const;
export type EmailRecipient = (typeof emailRecipients)[number];

export type EmailText = { subject: string; text: string };

export const maxEmailTextLengths = { subject: 150, text: 3000 } as const;

const ofBooking = [
  "promoter_name",
  "artist_name",
  "event_date",
  "event_day",
  "venue_name",
  "at_venue",
  "booking_number",
];
const ofBalance = ["balance", "balance_due"];

type Editable = Readonly<{
  title: string;
  when: string;
  variables: readonly string[];
  required?: string;
  texts: Readonly<Partial<Record<EmailRecipient, EmailText>>>;
}>;

const contractFollows = "We send the contract within 24 hours, for both of you to sign.";
const open = "The contract for {{event_date}}{{at_venue}} is ready. Sign by {{sign_until}}. {{signing_order}}";
const signed =
  "{{concluded_by}} the contract for {{event_date}}{{at_venue}}. Your copy is attached, and you can download it from the booking at any time.";

export const emailCatalog: Readonly<Record<EditableEmail, Editable>> = {
  booking_confirmation: {
    title: "Booking Confirmation",
    when: "when the date is booked, to promoter and artist",
    variables: [...ofBooking, "price", ...ofBalance],
    texts: {
      promoter: {
        subject: "Booked: {{artist_name}}, {{event_day}}",
        text: `{{artist_name}} plays{{at_venue}}. The date is yours.\n\n${contractFollows}`,
      },
      artist: {
        subject: "Booked: {{promoter_name}}, {{event_day}}",
        text: `{{promoter_name}} has booked you{{at_venue}}. The date is blocked in your calendar.\n\n${contractFollows}`,
      },
    },
  },
  deposit_received: {
    title: "Deposit Received",
    when: "when the deposit is paid, to promoter and artist",
    variables: [...ofBooking, "amount", ...ofBalance],
    texts: {
      promoter: {
        subject: "We received your deposit of {{amount}}",
        text: "Thank you. We received your deposit of {{amount}} for {{artist_name}} on {{event_date}}.",
      },
      artist: {
        subject: "Deposit paid for {{event_day}}",
        text: "{{promoter_name}} has paid the deposit of {{amount}}. We hold it until the show is over.",
      },
    },
  },
  contract_sent: {
    title: "Contract Sent",
    when: "when the contract is ready to sign, to promoter and artist",
    variables: [...ofBooking, "sign_until", "signing_order"],
    required: "It contains the signing link. Without it, a party without an account could not sign.",
    texts: {
      promoter: { subject: "Your contract for {{artist_name}} is ready", text: open },
      artist: { subject: "Sign: {{venue_name}}, {{event_day}}", text: open },
    },
  },
  contract_signed: {
    title: "Contract Signed",
    when: "when both have signed, to promoter and artist",
    variables: [...ofBooking, ...ofBalance, "concluded_by"],
    texts: {
      promoter: { subject: "Signed: {{artist_name}}, {{event_day}}", text: signed },
      artist: { subject: "Signed: {{promoter_name}}, {{event_day}}", text: signed },
    },
  },
  payment_failed: {
    title: "Payment Failed",
    when: "when a payment is refused, to promoter",
    variables: [...ofBooking, "payment", "amount", "reason"],
    texts: {
      promoter: {
        subject: "Your {{payment}} of {{amount}} was not paid",
        text: "The payment of the {{payment}} for {{artist_name}} on {{event_date}} did not go through{{reason}}. Nothing was charged.\n\nYou can try again, with the same card or another one.",
      },
    },
  },
};

const placeholder = /\{\{([^{}]*)\}\}/g;

export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(placeholder, (_, name: string) =>
    Object.hasOwn(values, name.trim()) ? (values[name.trim()] ?? "") : "",
  );

export function emailTextProblem(template: EditableEmail, field: keyof EmailText, text: string): string | undefined {
  if (text.trim() === "") return field === "subject" ? "Enter a subject." : "Enter a text.";
  if (text.length > maxEmailTextLengths[field]) return `At most ${maxEmailTextLengths[field]} characters.`;
  if (field === "subject" && /[\r\n]/.test(text)) return "The subject is one line.";
  const known = emailCatalog[template].variables;
  const unknown = [...text.matchAll(placeholder)]
    .map(([, name = ""]) => name.trim())
    .find((name) => !known.includes(name));
  if (unknown !== undefined) return `{{${unknown}}} is not a variable of this email. Available: ${known.join(", ")}.`;
  if (/\{\{|\}\}/.test(text.replaceAll(placeholder, "")))
    return "Double braces must be in pairs, like {{artist_name}}.";
  return undefined;
}

export const paragraphsOf = (text: string): string[] =>
  text
    .split(/(?:\r?\n[ \t]*){2,}/)
    .map((part) => part.trim())
    .filter(Boolean);
