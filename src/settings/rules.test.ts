import { expect, test } from "vitest";
import { platformDefaults } from "./defaults.rules.ts";
import { withDefaults, documents, type Scope } from "./rules.ts";

const allows = (scope: Scope, name: string, value: unknown) => {
  const shape = documents[scope].shape.shape as Record<string, { safeParse(value: unknown): { success: boolean } }>;
  return shape[name]?.safeParse(value).success;
};

test("has the defaults of the specification", () => {
  expect(platformDefaults).toMatchObject({
    depositPercent: 25,
    currency: "usd",
    primaryColor: "#6366f1",
    commissionBps: 1000,
    policyName: "standard",
  });
  expect(withDefaults("artist", {})).toMatchObject({
    minimumNotice: 7,
    maximumBookingDays: 365,
    travelRadius: 50,
    smsBookingRequests: false,
    showContactInfo: false,
    requireDeposit: true,
  });
  expect(withDefaults("promoter", {})).toMatchObject({
    defaultEventDuration: 3,
    preferredContactMethod: "email",
    autoApproveArtists: false,
    smsUrgentUpdates: false,
    requireContractSigning: true,
  });
});

test("has defaults that pass their own validation", () => {
  for (const [scope, { shape, defaults }] of Object.entries(documents)) {
    expect(shape.safeParse(defaults).error, scope).toBeUndefined();
  }
});

test.each([
  ["platform", "depositPercent", [1, 100], [0, 101, 25.5, "25", null]],
  ["platform", "commissionBps", [0, 5000], [-1, 5001, 0.5]],
  ["platform", "primaryColor", ["#ABCDEF", "#000000"], ["red", "#fff", "#12345g", "#6366f1;}", "javascript:"]],
  ["platform", "currency", ["usd", "eur"], ["USD", "jpy", "zzz", "us", ""]],
  ["platform", "timeZone", ["Europe/Berlin", "UTC"], ["Mars/Base", "", "+01:00", "../etc"]],
  [
    "platform",
    "logoUrl",
    ["", "https://example.org/a.png", "/storage/artist-media/a/photo_1.webp"],
    ["http://example.org/a.png", "javascript:alert(1)", "//x", 'https://example.org/"><b>', "/storage/../x"],
  ],
  ["platform", "privacyUrl", ["", "https://example.org/privacy"], ["javascript:alert(1)", "//x", "/privacy", "x"]],
  [
    "platform",
    "fromEmail",
    ["a@example.org"],
    ["a", "a@b", "a@example.org\r\nBcc: b@example.org", "A <a@example.org>"],
  ],
  ["artist", "minimumNotice", [0, 365], [-1, 366]],
  ["artist", "maximumBookingDays", [1, 730], [0, 731]],
  ["artist", "travelRadius", [0, 1000], [-1, 1001]],
  ["promoter", "defaultEventDuration", [1, 24], [0, 25]],
  ["promoter", "preferredContactMethod", ["email", "phone", "platform"], ["fax"]],
  ["promoter", "website", ["", "https://example.org"], ["javascript:alert(1)", "example"]],
] as const)("limits %s.%s to its bounds", (scope, name, good, bad) => {
  for (const value of good) expect(allows(scope, name, value), `${value}`).toBe(true);
  for (const value of bad) expect(allows(scope, name, value), `${value}`).toBe(false);
});

test("replaces a stored value that is no longer allowed by its default and retains the others", () => {
  expect(withDefaults("platform", { depositPercent: 400, currency: "eur", unknown: 1 })).toEqual({
    ...platformDefaults,
    currency: "eur",
  });
  expect(withDefaults("platform", null)).toEqual(platformDefaults);
});

test("refuses a line break of every kind in a line, and removes characters that change the direction of a text", () => {
  for (const text of ["a\rb", "a\nb", "a\u2028b", "a\u0085b", "a\u0000b"])
    expect(allows("promoter", "contactName", text)).toBe(false);
  const stored = { legalName: "Grüße, 東京\u202e\u2066", legalAddress: "1 Main Street\nAustin\u202e" };
  expect(withDefaults("platform", stored)).toMatchObject({
    legalName: "Grüße, 東京",
    legalAddress: "1 Main Street\nAustin",
  });
});
