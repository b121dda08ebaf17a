/** How a payment is made: on the provider's page, or by charging the kept card of the payer who is away. */
export const collectionMethods = ["checkout", "saved_card"] as const;
export type CollectionMethod = (typeof collectionMethods)[number];

/** Why a bank refused, as far as the payer can do something about it; whatever else it says counts as declined. */
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

/** What people recognise a card by: "Visa ···4242". A brand that we do not know is "Card". */
export const cardLabel = ({ brand, last4 }: Readonly<{ brand: string; last4: string }>): string =>
  `${Object.hasOwn(brands, brand) ? brands[brand] : "Card"} ···${last4}`;
