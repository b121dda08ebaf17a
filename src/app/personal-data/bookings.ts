/** A review belongs to its author: no export shows it to the other party before it is published. */

import { erasedEmail } from "#platform/email-address.rules.ts";
import { listTable, unexportedTable } from "#platform/personal-data/data-export.ts";
import { formerMember } from "#reviews/rules.ts";

export const bookingsTables = [
  listTable("bookings", {
    rows: { userId: ["promoter_user_id"], email: ["promoter_email"] },
    personal: {
      reason: "The promoter, the event and the venue. The contract and the documents have their own copy.",
      columns: {
        promoter_name: "Deleted user",
        promoter_email: erasedEmail,
        promoter_phone: "",
        special_requests: null,
        venue_name: "Removed",
        venue_address: "Removed",
        cancel_note: null,
        access_key_hash: null,
        verified_key_hash: null,
        form_key: null,
        request_browser: null,
        listing: null,
      },
      erase: "clear",
      nightly: [
        {
          action: "clear",
          days: 365,
          since: "updated_at",
          where: `status = 'canceled' and deposit_paid_at is null and not exists (select 1 from payments p where p.booking_id = bookings.id and p.status <> 'requires_payment_method') and not exists (select 1 from contracts c where c.booking_id = bookings.id and c.sent_at is not null)`,
        },
        { action: "clear", days: 3653, since: "updated_at", where: `status in ('completed', 'canceled')` },
      ],
    },
    exported: `
      id number artist_id promoter_user_id promoter_name promoter_email promoter_phone event_date event_time
      event_type guest_count duration duration_minutes special_requests venue_name venue_address time_zone starts_at
      ends_at status fee_cents currency deposit_percent deposit_cents balance_cents answer_due_at commission_bps
      policy_name policy canceled_at canceled_by cancel_code cancel_note cancellation_fee_cents listing deposit_payment_id deposit_paid_at
      balance_payment_id balance_paid_at completed_at email_proven_at needs_confirmation created_at updated_at
    `,
    withheld: {
      internal: "version balance_unpayable_at sequence_number email_corrections calendar_organizer",
      secret: "access_key_hash verified_key_hash form_key request_browser",
    },
  }),
  listTable("date_reservations", {
    rows: { through: { booking_id: "bookings", artist_id: { table: "artists", where: "kind = 'blocked'" } } },
    personal: {
      reason: "The times that an artist blocked, and counting the active holds of a user.",
      columns: { held_by_browser: null, held_by_address: null, held_by_email: null, note: null },
      erase: "clear",
      found: {
        email: ["held_by_email"],
        through: { booking_id: "bookings", artist_id: { table: "artists", where: "kind = 'blocked'" } },
      },
      deletedWhere: "kind = 'blocked'",
      nightly: [{ action: "clear", days: 1, since: "created_at", where: `kind = 'booked'` }],
    },
    exported: "id artist_id booking_id kind during span note expires_at created_at",
    withheld: {
      secret: "held_by_browser",
      internal:
        "held_by_address held_by_email released_by entry entry_digest absent_since external_calendar_id hold_night_id",
    },
  }),
  listTable("no_show_reports", {
    rows: { userId: ["stated_by"], through: { booking_id: "bookings" } },
    personal: { reason: "The reason for a division of money.", retained: { dispute: "note statement decision" } },
    exported: "booking_id reported_at note stated_at statement decided_at released_cents refunded_cents decision",
    withheld: { internal: "decided_by", others: "stated_by" },
  }),
  listTable("force_majeure_proposals", {
    rows: { through: { booking_id: "bookings" } },
    personal: { reason: "The reason for a division of money.", retained: { dispute: "reason" } },
    exported: `
      id booking_id proposed_by reason paid_cents refund_cents everything_back proposed_at expires_at closed_at
      outcome
    `,
  }),
  listTable("balance_consents", {
    rows: { through: { booking_id: "bookings" } },
    personal: {
      reason: "Consent to charge the saved card, against card disputes for 540 days.",
      columns: { address: "", user_agent: "" },
      erase: "clear",
      nightly: [{ action: "clear", days: 540, since: "given_at" }],
    },
    exported: `
      id booking_id text text_version amount_cents currency due_day given_at address user_agent withdrawn_at
      withdrawn_by
    `,
    withheld: { internal: "charge_id" },
  }),
  listTable("holds", {
    rows: { userId: ["promoter_user_id"], email: ["entered_email"] },
    personal: {
      reason: "The promoters with holds of an artist's nights, and their events.",
      columns: { entered_name: "Removed", entered_email: null, event_location: "Removed", note: "" },
      erase: "clear",
      nightly: [
        {
          action: "clear",
          days: 365,
          since: "created_at",
          where: "not exists (select 1 from hold_nights n where n.hold_id = holds.id and n.state = 'active')",
        },
      ],
    },
    exported:
      "id artist_id promoter_user_id entered_name entered_email event_time event_location event_type note created_at",
  }),
  listTable("hold_nights", {
    rows: { userId: ["promoter_user_id"] },
    exported:
      "id hold_id artist_id promoter_user_id night state rank expires_at challenge_ends_at pays_from must_pay booking_id ended_at ended_rank reminded_for busy_notified_at reserve_again",
  }),
  listTable("hold_challenges", {
    rows: { userId: ["promoter_user_id"] },
    exported: "id artist_id night promoter_user_id hold_night_id started_at ends_at closed_at outcome",
  }),
  unexportedTable("past_holds", {
    reason: "The waiting period before the same user can hold a date again.",
    columns: { held_by_browser: null, held_by_address: null, held_by_email: null },
    erase: "clear",
    found: { email: ["held_by_email"], through: { booking_id: "bookings" } },
    nightly: [{ action: "clear", days: 1, since: "ended_at" }],
  }),
  unexportedTable("pay_links", {
    reason: "Links to pay.",
    nightly: [
      {
        action: "delete",
        days: 30,
        since: "created_at",
        where: `booking_id in (select id from bookings where status in ('completed', 'canceled'))`,
      },
    ],
  }),
  unexportedTable("balance_schedules"),
  unexportedTable("balance_steps"),

  listTable("reviews", {
    rows: { userId: ["author_user_id"] },
    personal: {
      reason: "The reviews of the two parties of a booking.",
      retained: { published: "body hidden_reason" },
      columns: { author_name: formerMember, author_user_id: null },
      erase: "clear",
      deletedWhere: "published_at is null",
    },
    exported: `
      id booking_id artist_id written_by author_user_id author_name rating body created_at published_at hidden_at
      hidden_reason
    `,
    withheld: { others: "hidden_by" },
  }),
  listTable("review_replies", {
    rows: { userId: ["author_user_id"] },
    personal: {
      reason: "Answers to reviews.",
      retained: { published: "body" },
      columns: { author_user_id: null },
      erase: "clear",
    },
    exported: "review_id author_user_id body created_at",
  }),
  listTable("review_reports", {
    rows: { userId: ["reporter_user_id"] },
    personal: {
      reason: "Why a review was reported.",
      columns: { reporter_user_id: null, reason: "Removed with the account." },
      erase: "clear",
      nightly: [{ action: "clear", days: 365, since: "decided_at" }],
    },
    exported: "review_id reporter_user_id reason created_at decided_at decision",
    withheld: { others: "decided_by" },
  }),

  listTable("contracts", {
    rows: { through: { booking_id: "bookings" } },
    personal: {
      reason: "The agreed terms.",
      retained: { contract: "terms decline_reason" },
      nightly: [
        {
          action: "delete",
          days: 365,
          since: "created_at",
          where: `sent_at is null and exists (select 1 from bookings b where b.id = contracts.booking_id and b.status = 'canceled' and b.deposit_paid_at is null) and not exists (select 1 from contract_events e where e.contract_id = contracts.id) and not exists (select 1 from contract_documents d where d.contract_id = contracts.id) and not exists (select 1 from contract_signers s where s.contract_id = contracts.id)`,
        },
      ],
    },
    exported: `
      id booking_id signed_status provider terms terms_hash document_hash sent_at signed_at created_at template
      expires_at declined_at declined_by decline_reason first_signer
    `,
    withheld: {
      secret: "doc_url",
      internal: `
        send_from attempts next_try_at last_error extended_at reminders reminders_from provider_requested_at provider_ref
        provider_polled_at sealed_at provider_cancel_from provider_canceled_at provider_alarm
      `,
    },
  }),
  listTable("contract_documents", {
    rows: { through: { contract_id: "contracts" } },
    personal: { reason: "The printed contract.", retained: { contract: "bytes text" } },
    exported: "id contract_id kind pages text created_at",
    withheld: { internal: "sha256 bytes media_type" },
  }),
  listTable("contract_signers", {
    rows: { through: { contract_id: "contracts" } },
    personal: { reason: "The signers and their signing methods.", retained: { contract: "name signed_name drawing" } },
    exported: "contract_id side name signed_name method signed_at",
    withheld: { others: "drawing", internal: "document_sha256" },
  }),
  listTable("contract_objections", {
    rows: { through: { contract_id: "contracts" } },
    personal: { reason: "An objection to a signature.", retained: { contract: "reason decision_reason" } },
    exported: "contract_id side reason made_at decided_at decision decision_reason",
    withheld: { others: "decided_by" },
  }),
  listTable("contract_templates", {
    rows: "nobody",
    exported: "id version title sections saved_at first_signer",
    withheld: { others: "saved_by" },
  }),
  listTable("contract_links", {
    rows: "nobody",
    personal: { reason: "Links to sign.", nightly: [{ action: "delete", days: 180, since: "expires_at" }] },
    withheld: { secret: "hash contract_id side created_at expires_at used_at" },
  }),
  listTable("contract_signing_codes", {
    rows: "nobody",
    personal: {
      reason: "Codes that confirm a signature.",
      columns: { sent_to: "" },
      erase: "delete",
      found: { through: { contract_id: "contracts" } },
      nightly: [{ action: "delete", days: 1, since: "expires_at" }],
    },
    withheld: { secret: "contract_id side code_hash channel sent_to tries created_at expires_at" },
  }),
  listTable("contract_seals", {
    rows: "nobody",
    exported: "id created_at retired_at",
    withheld: { internal: "certificate", secret: "private_key" },
  }),
  listTable("contract_events", {
    rows: "nobody",
    personal: { reason: "The evidence of the signatures, an append-only chain.", retained: { contract: "entry" } },
    exported: "contract_id number entry",
    withheld: { secret: "hash" },
  }),
];
