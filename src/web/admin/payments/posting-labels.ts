/** Screen labels of ledger postings and accounts. Unknown ones are shown by their name. */

const kinds: Readonly<Record<string, string>> = {
  charge: "Payment captured",
  suspense_charge: "Unapplied payment captured",
  provider_fee: "Provider's fee",
  refund_planned: "Refund planned",
  refund_settled: "Refund paid to the payer",
  refund_undone: "Refund returned",
  outside_payment: "Paid by us outside the provider",
  suspense_refund_planned: "Refund of an unapplied payment planned",
  suspense_refund_settled: "Unapplied payment refunded",
  suspense_refund_undone: "Refund of an unapplied payment returned",
  release: "Divided after the event",
  payout: "Paid out to the artist",
  reversal: "Payout reversed",
  payout_returned: "Payout reversed at the provider",
  dispute_withdrawn: "Withdrawn by the payer's bank",
  dispute_reinstated: "Returned by the payer's bank",
  dispute_fee: "Provider's fee for a dispute",
  dispute_lost: "Dispute lost",
  dispute_regained: "Lost dispute won afterwards",
  dispute_share_returned: "Shares returned after a dispute",
  conversion: "Converted by the provider",
};

const accounts: Readonly<Record<string, string>> = {
  psp_clearing: "At the provider",
  psp_fees: "Provider fees",
  refund_in_flight: "Refunds in progress",
  dispute_in_flight: "With the payer's bank",
  dispute_loss: "Lost in disputes",
  paid_outside: "Paid outside the provider",
  suspense: "Unapplied payments",
  conversion: "Currency conversion",
  platform_revenue: "Platform revenue",
  held: "Held for the booking",
  artist_payable: "Owed to the artist",
  artist_receivable: "Owed by the artist",
};

export const postingLabel = (kind: string): string => kinds[kind] ?? kind;

export const accountLabel = (account: string): string => accounts[account.split(":")[0] ?? ""] ?? account;
