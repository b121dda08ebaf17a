/** What is remembered over a sign-in. */
import { beforeEach, expect, test } from "vitest";
import { paths } from "#platform/site-paths.rules.ts";
import { rememberRoute, consumeRememberedRoute } from "../lib/auth/remembered-route.ts";

beforeEach(() => sessionStorage.clear());

const id = "5b1f5f38-6a4c-4f1f-9a3e-0d4d4b1c2f00";

test.each([
  paths.admin.settings(),
  paths.artistArea.payouts,
  paths.promoterArea.payments,
  paths.promoterArea.booking(id),
  paths.promoterArea.newHold("electric-dreams"),
  paths.promoterArea.newHold("electric-dreams", "2027-02-12"),
])("%s is returned to, once", (page) => {
  rememberRoute(page);
  expect(consumeRememberedRoute()).toBe(page);
  expect(consumeRememberedRoute()).toBe(paths.home);
});

test.each(["https://elsewhere.example/admin", "/admin/../auth", `/promoter/bookings/${id}x`, "//elsewhere.example"])(
  "%s is not remembered",
  (address) => {
    rememberRoute(address);
    expect(consumeRememberedRoute()).toBe(paths.home);
  },
);

test("a page that is not remembered forgets the one before", () => {
  rememberRoute(paths.admin.settings());
  rememberRoute("/admin/elsewhere");
  expect(consumeRememberedRoute()).toBe(paths.home);
});

test("what another script has stored leads nowhere but to known pages", () => {
  for (const stored of [
    "constructor",
    "promoter.booking ../../x",
    "promoter.newHold ../x",
    "https://elsewhere.example",
  ]) {
    sessionStorage.setItem("after-sign-in", stored);
    expect(consumeRememberedRoute()).toBe(paths.home);
  }
});
