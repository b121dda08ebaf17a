import { paymentStatuses } from "#payments/rules.ts";

/** The status filter of the payment lists. The list of failed payments includes those that are displayed as not paid. */
export const byPaymentStatus = {
  name: "status",
  label: "Status",
  all: "All statuses",
  choices: Object.entries({ ...paymentStatuses, failed: "Failed or not paid" }).map(([value, label]) => ({
    value,
    label,
  })),
};
