import type { catalog } from "./catalog.ts";

type TemplateName = keyof typeof catalog;

/** Templates with the artist's poster: good news, or a booking that the recipient must recognize. Problems, account notices and emails to admins have no picture. */
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
