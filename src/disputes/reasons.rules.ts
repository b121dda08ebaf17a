/** Separate from the rules that every page of the site loads. */

const reasons: Readonly<Record<string, string>> = {
  bank_cannot_process: "The payer's bank could not process the payment",
  credit_not_processed: "The payer says that a refund was promised and did not arrive",
  duplicate: "The payer says that they were charged twice",
  fraudulent: "The cardholder says that they did not make this payment",
  general: "The bank gives no particular reason",
  product_not_received: "The payer says that the show did not take place or the artist did not appear",
  product_unacceptable: "The payer says that the show was not as agreed",
  subscription_canceled: "The payer says that the booking was canceled",
  unrecognized: "The cardholder does not recognize the payment",
};

export const disputeReason = (reason: string): string =>
  Object.hasOwn(reasons, reason) ? (reasons[reason] ?? reason) : reason.replaceAll("_", " ");
