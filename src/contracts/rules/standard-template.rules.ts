import { type AgreementTemplate, amountsMark, cancellationTermsMark } from "./template.rules.ts";

/** A changed text is a new version: contracts name the one they were made from. */
export const standardTemplate: AgreementTemplate = {
  id: "standard",
  version: 5,
  title: "Performance agreement",
  firstSigner: null,
  sections: [
    {
      heading: "The parties",
      clauses: [
        { text: "The promoter is {{promoter_party}}." },
        { text: "The artist is {{artist_party}}." },
        { text: "This agreement belongs to booking {{number}}." },
      ],
    },
    {
      heading: "The performance",
      clauses: [
        {
          text: "The artist performs on {{event_date}} from {{start_time}} to {{end_time}}, local time at the venue ({{time_zone}}).",
        },
        { text: "The set length is {{set_length}}. The event is: {{event_type}}." },
        { text: "The venue is {{venue_name}}. Its address is {{venue_address}}." },
        { text: "The promoter expects {{guest_count}} guests.", when: "has_guest_count" },
      ],
    },
    {
      heading: "The fee",
      clauses: [
        { text: amountsMark },
        { text: "The promoter pays the fee and nothing on top of it." },
        {
          text: "The balance is due on the day named above, or as soon as both parties have signed when that day has passed.",
          when: "has_balance",
        },
        {
          text: "The platform holds the payments until the performance is over and then pays the artist. It deducts {{commission_percent}} of the fee as its commission.",
          when: "has_commission",
        },
      ],
    },
    {
      heading: "Special requests",
      when: "has_special_requests",
      clauses: [
        {
          text: "The promoter asks for the following. It is part of this agreement, and each paragraph of it begins with “>”:",
        },
        { text: "{{special_requests}}" },
      ],
    },
    {
      heading: "Cancellation",
      clauses: [
        { text: "The cancellation policy of this booking is “{{cancellation_policy}}”." },
        { text: cancellationTermsMark },
        {
          text: "If the artist cancels, does not appear, or does not sign this agreement in time, the promoter gets every payment back.",
        },
        { text: "Nothing more is collected after a cancellation: the artist keeps at most what has been paid." },
      ],
    },
    {
      heading: "Force majeure",
      clauses: [
        {
          text: "If an event outside the control of both parties (such as a natural disaster, an epidemic, an order of an authority or a serious illness) makes the performance impossible, neither party owes damages. The party concerned tells the other at once.",
        },
        {
          text: "Each party can then propose on the page of the booking that it ends: with every payment going back to the promoter, or with a division of what was paid. If the other party accepts within 72 hours and before the performance would begin, the booking ends so. Without such an agreement the terms on cancellation above apply.",
        },
      ],
    },
    {
      heading: "On the day",
      clauses: [
        {
          text: "The promoter provides safe access, a suitable stage and power, and the permits that the event needs. The artist appears in time and brings what was not agreed otherwise.",
        },
        { text: "Recordings of the performance for sale or broadcast need the artist's consent in text form." },
      ],
    },
    {
      heading: "Taxes",
      clauses: [
        {
          text: "Each party pays its own taxes and duties. The fee includes taxes that the artist owes on it. If the law obliges the promoter to withhold tax, the promoter gives the artist the certificate of it.",
        },
      ],
    },
    {
      heading: "Law",
      clauses: [
        {
          text: "The law of the place of the venue governs this agreement. Rules that protect consumers where they live remain in force.",
        },
        { text: "If a clause is void, the others remain valid." },
      ],
    },
    {
      heading: "Signatures",
      clauses: [
        {
          text: "Both parties agree to conclude this agreement electronically. It is concluded when both have signed; {{signing_order}}. The certificate that is attached to the signed copy shows who signed when, and proves by the fingerprint of this document that nothing was changed.",
        },
      ],
    },
  ],
};
