/** How a payment is collected: on the provider's page, or by an off-session charge of the saved card. */
export const collectionMethods = ["checkout", "saved_card"] as const;
export type CollectionMethod = (typeof collectionMethods)[number];

/** Decline reasons that the payer can act on. Every other reason counts as declined. */
export const declineCodes = ["card_declined", "authentication_required", "expired_card"] as const;
export type DeclineCode = (typeof declineCodes)[number];

export const declineCodeOf = (code: string | null | undefined): DeclineCode =>
  declineCodes.find((one) => one === code) ?? "card_declined";

const brands: Readonly<Record<string, string>> = {
  amex: "American Express",
  cartes_bancaires: "Cartes Bancaires",
  diners: "Diners Club",
  discover: "Discover",
  eftpos_au: "eftpos",
  jcb: "JCB",
  mastercard: "Mastercard",
  unionpay: "UnionPay",
  visa: "Visa",
};

/** Returns "Visa ···4242". An unknown brand is "Card". */
export const cardLabel = ({ brand, last4 }: Readonly<{ brand: string; last4: string }>): string =>
  `${Object.hasOwn(brands, brand) ? brands[brand] : "Card"} ···${last4}`;
