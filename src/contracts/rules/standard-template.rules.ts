import { type AgreementTemplate, amountsMark, cancellationTermsMark } from "./template.rules.ts";

/** A changed text is a new version, because contracts name theirs. */
export const standardTemplate: AgreementTemplate = {
  id: "standard",
  version: 7,
  title: "Performance agreement",
  firstSigner: null,
  sections: [
    {
      heading: "The parties",
      clauses: [
        { text: "The promoter is {{promoter_party}}." },
        { text: "The artist is {{artist_party}}." },
        { text: "This agreement is for booking {{number}}." },
      ],
    },
    {
      heading: "The performance",
      clauses: [
        {
          text: "The artist will perform on {{event_date}} from {{start_time}} to {{end_time}}, local time at the venue ({{time_zone}}).",
        },
        { text: "The set length is {{set_length}}. The type of event is: {{event_type}}." },
        { text: "The venue is {{venue}}." },
        { text: "The promoter expects {{guest_count}} guests.", when: "has_guest_count" },
      ],
    },
    {
      heading: "The fee",
      clauses: [
        { text: amountsMark },
        { text: "The fee is the total price. The promoter pays nothing in addition to it." },
        {
          text: "The balance is due on the date stated above. If that date has passed when both parties have signed, it is due immediately.",
          when: "has_balance",
        },
        {
          text: "The platform through which this booking was made holds the payments until the performance is over. It then deducts its commission of {{commission_percent}} of the fee and pays the artist.",
          when: "has_commission",
        },
      ],
    },
    {
      heading: "Special requests",
      when: "has_special_requests",
      clauses: [
        {
          text: "The following special requests of the promoter are part of this agreement. Each paragraph of them begins with “>”:",
        },
        { text: "{{special_requests}}" },
      ],
    },
    {
      heading: "Cancellation",
      clauses: [
        { text: "The “{{cancellation_policy}}” cancellation policy applies to this booking." },
        { text: cancellationTermsMark },
        {
          text: "The platform reminds the promoter of a balance that is not paid when it is due. If it remains unpaid, the artist may end the booking before the performance. Otherwise the booking ends, at the earliest 30 days after the performance. In both cases the terms apply as if the promoter had canceled at that time.",
          when: "has_balance",
        },
        {
          text: "If the artist cancels, does not appear, or does not sign this agreement in time, all payments are refunded to the promoter.",
        },
        {
          text: "No further payment is collected after a cancellation. The artist never keeps more than has been paid.",
        },
      ],
    },
    {
      heading: "Force majeure",
      clauses: [
        {
          text: "If an event beyond the control of both parties, such as a natural disaster, an epidemic, a government order or a serious illness, makes the performance impossible, neither party is liable for damages. The affected party must notify the other party immediately.",
        },
        {
          text: "Either party may then propose, on the page of the booking, to end the booking with a full refund to the promoter or with a division of what has been paid. If the other party accepts within 72 hours and before the performance was due to begin, the booking ends on those terms. Otherwise the cancellation terms above apply.",
        },
      ],
    },
    {
      heading: "On the day",
      clauses: [
        {
          text: "The promoter provides safe access, a suitable stage, electrical power and all permits that the event requires. The artist arrives on time and brings everything else that the performance requires, unless the parties agree otherwise.",
        },
        {
          text: "The performance may be recorded for sale or broadcast only with the artist's written consent. An email is sufficient.",
        },
      ],
    },
    {
      heading: "Taxes",
      clauses: [
        {
          text: "Each party pays its own taxes and duties. The fee includes any tax that the artist owes on it. If the law requires the promoter to withhold tax, the promoter gives the artist the tax certificate.",
        },
      ],
    },
    {
      heading: "Law",
      clauses: [
        {
          text: "This agreement is governed by the law of the place where the venue is located. Mandatory rules that protect consumers where they live remain in force.",
        },
        { text: "If any clause of this agreement is invalid, the remaining clauses stay in force." },
      ],
    },
    {
      heading: "Signatures",
      clauses: [
        {
          text: "Both parties agree to sign this agreement electronically. It takes effect when both have signed; {{signing_order}}. The signed copy ends with the signatures and a certificate. The certificate states who signed and when, and gives the fingerprint (SHA-256) of this document, by which any change can be detected.",
        },
      ],
    },
  ],
};
