/** Artists get the documents of sales made while the profile was theirs, promoters those of their purchases. */

import { listTable, unexportedTable } from "#platform/personal-data/data-export.ts";

export const moneyTables = [
  listTable("payments", {
    rows: { email: ["payer_email"], through: { booking_id: "bookings" } },
    personal: {
      reason: "Payments and their payers.",
      retained: { accounting: "payer_email payer_name" },
      columns: { request_params: null },
      erase: "clear",
      nightly: [{ action: "clear", days: 90, since: "updated_at", where: `checkout_state in ('paid', 'closed')` }],
    },
    exported: `
      id booking_id kind amount currency status title description image_url provider provider_ref provider_payment
      provider_charge amount_refunded payer_email payer_name payment_date way save_card_notice created_at updated_at
    `,
    withheld: {
      secret: "checkout_url request_params",
      internal: `
        checkout_state expires_at last_error requested_at lease_until needs_lookup last_polled_at decline_code attempts
        next_try_at
      `,
    },
  }),
  listTable("refunds", {
    rows: { through: { payment_id: { table: "payments", where: "amount > 0" } } },
    exported: `
      id payment_id amount currency reason status provider_ref provider_payment paid_outside_at by_dispute_at
      created_at updated_at
    `,
    withheld: { internal: "cause_key attempts last_error requested_at needs_lookup next_try_at from_regained" },
  }),
  listTable("saved_cards", {
    rows: { through: { payment_id: "payments" } },
    personal: {
      reason: "Which card was charged, as the card network prints it.",
      retained: { accounting: "brand last4" },
    },
    exported: "booking_id payment_id brand last4 exp_month exp_year saved_at removal_requested_at removed_at",
    withheld: { secret: "method customer", internal: "attempts next_try_at last_error" },
  }),
  listTable("artist_connect", {
    // The user's own accounts. Those of a former owner of the profile belong to another user.
    rows: { userId: ["user_id"] },
    personal: {
      reason: "The payment accounts that receive payouts.",
      retained: { accounting: "provider_account bank bank_return" },
    },
    exported: "artist_id user_id onboarding_status provider_account frozen_until bank_return updated_at",
    withheld: { internal: "bank requested_at needs_lookup" },
  }),
  listTable("former_payment_accounts", {
    rows: { userId: ["user_id"] },
    personal: { reason: "The payment accounts that received payouts.", retained: { accounting: "provider_account" } },
    exported: "provider_account artist_id user_id onboarding_status why ended_at",
  }),
  listTable("payment_payers", {
    rows: { email: ["email"], through: { payment_id: "payments" } },
    personal: {
      reason: "The name on the receipt of a payment by another payer.",
      retained: { accounting: "name email company tax_id" },
    },
    exported: "payment_id name email company tax_id created_at",
  }),
  listTable("provider_charges", {
    rows: { through: { payment_id: "payments" } },
    exported: "provider_payment payment_id charge amount currency captured_at recorded_as why",
    withheld: { internal: "checkout_ref settled_amount settled_currency" },
  }),
  listTable("payouts", {
    rows: { through: { artist_id: "artists" } },
    exported: "id booking_id artist_id amount currency due_at paid_at created_at updated_at",
    withheld: { internal: "planned_at stuck_at stuck_reason attempts next_try_at wait_notified_at" },
  }),
  listTable("transfers", {
    rows: { through: { payout_id: "payouts" } },
    exported: `
      id payout_id payment_id amount currency settled_amount settled_currency destination status provider_ref
      amount_reversed sent_at paid_outside_at created_at updated_at
    `,
    withheld: {
      internal:
        "provider_payment returned_dispute_id replaced_reversal_id attempts requested_at needs_lookup last_error next_try_at",
      others: "earner_id",
    },
  }),
  listTable("transfer_reversals", {
    rows: { through: { transfer_id: "transfers" } },
    exported: `
      id transfer_id amount currency settled_amount settled_currency reason status provider_ref paid_outside_at
      created_at updated_at
    `,
    withheld: { internal: "cause_key attempts requested_at needs_lookup last_error next_try_at" },
  }),
  listTable("disputes", {
    rows: { through: { payment_id: "payments" } },
    exported: `
      id provider_ref provider_payment payment_id booking_id amount currency reason status evidence_due_at withdrawn
      opened_at closed_at created_at updated_at
    `,
    withheld: {
      internal: `
        submissions settled_at from_refunds from_held from_artist from_platform from_loss regained returned_at
        returned_held returned_artist returned_platform accepting_until
      `,
    },
  }),
  unexportedTable("dispute_evidence", {
    reason: "The evidence texts that were sent to the bank.",
    retained: { dispute: "texts" },
  }),
  unexportedTable("dispute_files", {
    reason: "The evidence files that were sent to the bank.",
    retained: { dispute: "name bytes" },
  }),
  listTable("ledger_groups", { rows: "nobody", exported: "id cause_key kind booking_id payment_id posted_at" }),
  listTable("ledger_entries", { rows: "nobody", exported: "id group_id account amount currency" }),
  unexportedTable("ledger_unsummed"),
  unexportedTable("ledger_daily_sums"),
  unexportedTable("provider_events", {
    reason: "Processing each event of the card provider and of a signing service once.",
    nightly: [{ action: "delete", days: 90, since: "received_at", where: `processed_at is not null` }],
  }),
  unexportedTable("reconciliations", {
    reason: "The results of the nightly comparison.",
    nightly: [{ action: "delete", days: 400, since: "finished_at" }],
  }),
  unexportedTable("unreconciled_items", {
    reason: "The differences that an admin explained.",
    retained: { accounting: "what reason payer_name payer_email" },
  }),
  unexportedTable("sandbox_objects", { reason: "The local payment provider.", retained: { provider: "body" } }),
  unexportedTable("sandbox_requests", { reason: "The local payment provider.", retained: { provider: "body" } }),

  listTable("documents", {
    rows: {
      userId: ["artist_owner_id"],
      email: ["buyer_email"],
      through: { booking_id: { table: "bookings", where: "buyer_artist_id is null" } },
    },
    personal: { reason: "Receipts, invoices and statements.", retained: { accounting: "buyer_email details" } },
    exported: `
      id number kind booking_id payment_id corrects_id seller_artist_id buyer_artist_id artist_owner_id buyer_email
      currency gross tax tax_label tax_bps details occurred_at issued_at
    `,
    withheld: { internal: "seller_id sequence_number cause_key" },
  }),
  unexportedTable("document_sellers"),
  unexportedTable("documents_due"),
  unexportedTable("document_files", { reason: "The printed documents.", retained: { accounting: "bytes" } }),
];
