/** Which emails show the artist's poster. */
import type { catalog } from "./catalog.ts";

type TemplateName = keyof typeof catalog;

/** What a person is glad about or has to recognize at once. A failed or late payment, a dispute, a refund, a cancellation, a notice about an account and an email to admins have no picture. */
const shown: ReadonlySet<TemplateName> = new Set<TemplateName>([
  "request_received",
  "new_request",
  "hold_changed",
  "booking_link",
  "booking_confirmation",
  "deposit_received",
  "balance_reminder",
  "balance_charge_planned",
  "balance_due",
  "balance_extended",
  "balance_received",
  "contract_sent",
  "contract_reminder",
  "contract_signed",
  "review_invitation",
  "reviews_published",
]);

export const isPosterShown = (template: TemplateName): boolean => shown.has(template);
