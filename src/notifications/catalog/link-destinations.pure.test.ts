import { expect, test } from "vitest";
import { linkDestinations, mayLeadTo } from "#test/data/link-destinations.ts";
import { catalog } from "./catalog.ts";
import type { TemplateName } from "./render-email.ts";

test("lists the link destination of every template and no other name", () => {
  expect(Object.keys(linkDestinations).toSorted()).toEqual(Object.keys(catalog).toSorted());
});

test.each<[TemplateName, string, boolean]>([
  ["booking_confirmation", "https://site.test/promoter/bookings/63f7c831-cb4d-48ca-a2b7-2b9eeef61d92", true],
  ["booking_confirmation", "https://site.test/promoter/bookings", false],
  ["new_request", "https://site.test/artist/bookings/63f7c831-cb4d-48ca-a2b7-2b9eeef61d92", true],
  ["new_request", "https://site.test/booking/63f7c831-cb4d-48ca-a2b7-2b9eeef61d92", false],
  ["money_alarm", "https://site.test/admin/bookings/63f7c831-cb4d-48ca-a2b7-2b9eeef61d92", true],
  ["money_alarm", "https://site.test/admin/payments", true],
  ["money_alarm", "https://site.test/admin/bookings", false],
  ["booking_confirmation", "https://site.test/booking/63f7c831-cb4d-48ca-a2b7-2b9eeef61d92?link=abc", true],
  ["booking_confirmation", "https://site.test/auth", false],
  ["payment_failed", "https://site.test/pay/63f7c831-cb4d-48ca-a2b7-2b9eeef61d92/balance?key=x", true],
  ["payment_failed", "https://site.test/pay/63f7c831/else", false],
  ["confirm_sign_up", "https://site.test/auth/confirm?token_hash=abc", true],
  ["confirm_sign_up", "https://site.test/auth/confirm/more", false],
  ["one_time_code", "https://site.test/", false],
  ["contract_code", "https://site.test/", false],
])("returns for %s with the link %s: %s", (template, address, may) => {
  expect(mayLeadTo(template, address)).toBe(may);
});
