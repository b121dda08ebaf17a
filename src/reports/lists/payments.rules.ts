import { sortsBy } from "#platform/list.rules.ts";

export const paymentSorts = sortsBy("artist", "promoter", "paid", "status", "amount");

/** `held`: paid, and the booking is open. `declined`: the last attempt was declined and nothing is paid. */
export const paymentSavedFilters = ["held", "refunds", "disputed", "declined"] as const;
export type PaymentSavedFilter = (typeof paymentSavedFilters)[number];

export const ownPaymentSorts = sortsBy("artist", "event", "venue", "paid", "status", "amount");
export const payoutSorts = sortsBy("promoter", "event", "status", "gross", "commission", "net");
export const contractSorts = sortsBy("artist", "promoter", "event", "status", "provider");

const amountShape = /^(?:[a-z]{3} ?|[$€£] ?)?(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{2}))?$/i;

/** Returns the minor units of a written amount (`1,125.00`, `1125`, `$1,125`). Null for any other text. */
export function amountOf(text: string): number | null {
  const [, whole, cents = "00"] = amountShape.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const amount = Number(whole.replaceAll(",", "") + cents);
  return amount <= 2_147_483_647 ? amount : null;
}

/** Returns a provider's reference without the prefix of its kind (`cs_test_`, `pi_`), if at least eight characters are left. */
export const withoutPrefix = (reference: string): string =>
  reference.replace(/^(?:cs|pi|ch|py)_(?:test_|live_)?(?=\w{8})/i, "");
