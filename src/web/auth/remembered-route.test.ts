import { beforeEach, expect, test } from "vitest";
import { paths } from "#platform/site-paths.rules.ts";
import { rememberRoute, consumeRememberedRoute } from "../lib/auth/remembered-route.ts";

beforeEach(() => sessionStorage.clear());

const id = "5b1f5f38-6a4c-4f1f-9a3e-0d4d4b1c2f00";

test.each([
  paths.admin.settings(),
  paths.admin.settings("emails"),
  paths.artistArea.settings("privacy"),
  paths.admin.contractTemplate("standard"),
  paths.artistArea.payouts,
  paths.promoterArea.payments,
  paths.promoterArea.booking(id),
  paths.promoterArea.newHold("electric-dreams"),
  paths.promoterArea.newHold("electric-dreams", "2027-02-12"),
])("returns %s once", (page) => {
  rememberRoute(page);
  expect(consumeRememberedRoute()).toBe(page);
  expect(consumeRememberedRoute()).toBeUndefined();
});

test.each([paths.promoterArea.booking(id), paths.promoterArea.newHold("electric-dreams", "2027-02-12")])(
  "returns %s without a parameter that a newsletter added",
  (page) => {
    rememberRoute(`${page}?utm_source=x`);
    expect(consumeRememberedRoute()).toBe(page);
  },
);

test.each(["https://elsewhere.example/admin", "/admin/../auth", `/promoter/bookings/${id}x`, "//elsewhere.example"])(
  "does not remember %s",
  (address) => {
    rememberRoute(address);
    expect(consumeRememberedRoute()).toBeUndefined();
  },
);

test("forgets the previous page if a page cannot be remembered", () => {
  rememberRoute(paths.admin.settings());
  rememberRoute("/admin/elsewhere");
  expect(consumeRememberedRoute()).toBeUndefined();
});

test("leads only to known pages for values that another script stored", () => {
  for (const stored of [
    "constructor",
    "promoter.booking ../../x",
    "promoter.newHold ../x",
    "https://elsewhere.example",
  ]) {
    sessionStorage.setItem("after-sign-in", stored);
    expect(consumeRememberedRoute()).toBeUndefined();
  }
});
