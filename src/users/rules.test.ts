import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCommonPassword } from "./providers/local/common-passwords.ts";
import {
  cleanName,
  grantedRole,
  lifetimes,
  normalizeEmail,
  normalizePhone,
  passwordIssues,
  profileName,
  sameName,
} from "./rules.ts";
import { decideRotation } from "./sessions/refresh-tokens.store.ts";

describe("granted role", () => {
  it("is never admin outside demo mode, for any input", () => {
    fc.assert(
      fc.property(fc.oneof(fc.constant("admin"), fc.anything()), (requested) => {
        expect(grantedRole(requested, false).role).not.toBe("admin");
      }),
    );
  });

  it.each([
    ["admin", true, "admin", false],
    ["admin", false, "promoter", true],
    ["artist", false, "artist", false],
    ["promoter", true, "promoter", false],
    [undefined, false, "promoter", false],
    [["admin"], true, "promoter", false],
  ] as const)("is for %j in demo=%j: %s", (requested, demo, role, requestsAdmin) => {
    expect(grantedRole(requested, demo)).toEqual({ role, requestsAdmin });
  });
});

describe("password", () => {
  it.each([
    ["1234567", ["length"]],
    ["", ["length"]],
    ["aaaaaaaaaa", ["repeat"]],
    ["Robin Vale", ["context"]],
    ["a quiet lamp", []],
    ["🎷🎸🎹🥁🎺🎻🪕🪗", []],
  ])("has for %j the issues %j", (password, faults) => {
    expect(passwordIssues(password, ["robin vale"])).toEqual(faults);
  });

  it("is found in the offline list, in capitals too, and the demo's is not", () => {
    for (const known of ["password1", "QWERTYUIOP", "iloveyou", "trustno1"]) expect(isCommonPassword(known)).toBe(true);
    for (const unknown of ["demo-password", "a quiet lamp backstage"]) expect(isCommonPassword(unknown)).toBe(false);
  });
});

describe("name", () => {
  it("is one line without control characters, at most 200 long", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        const name = cleanName(text);
        if (name === undefined) return;
        expect(name).not.toMatch(/\p{Cc}/u);
        expect(Array.from(name).length).toBeLessThanOrEqual(200);
        expect(name).toBe(name.trimStart());
      }),
    );
  });

  it("has no invisible characters or marks that change the direction, except joiners where scripts and emoji need them", () => {
    expect(cleanName("Electric\u200b Drea\u00adms\u2066\u200d")).toBe("Electric Dreams");
    expect(cleanName("\u202esmaerD \u200d\u3164cirtcelE\ufeff")).toBe("smaerD cirtcelE");
    expect(cleanName("\u200b\u3164\u2060")).toBeUndefined();
    for (const name of [
      "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
      "Band \u{1f468}\u200d\u{1f3a4} \u2764\ufe0f",
    ])
      expect(cleanName(name)).toBe(name);
  });

  it("uses the metadata for a new profile, or else the email", () => {
    expect(profileName({ name: " Anna  Lind\n" }, "a@b.de")).toBe("Anna Lind");
    for (const none of [{}, null, { name: "" }, { name: { role: "admin" } }, "name"])
      expect(profileName(none, "a@b.de")).toBe("a@b.de");
  });
});

describe("same name", () => {
  it.each([
    ["Electric Kestrel", "ELECTRIC  kestrel", true],
    ["Éva Ünlü", "éva ÜNLÜ", true],
    ["Electric Kestrel", "Electric \u212aestrel", false],
    ["Irmak", "\u0130rmak", false],
    ["Electric Kestrel", "\u0395lectric Kestrel", false],
    ["Café", "Cafe\u0301", false],
    ["Electric Kestrel", "Electric\u200b Kestrel", false],
  ])("compares %j and %j: %j", (one, other, same) => expect(sameName(one, other)).toBe(same));
});

describe("address", () => {
  it.each([
    [" Anna@People.Test ", "anna@people.test"],
    ["a+tag@sub.people.test", "a+tag@sub.people.test"],
    ["a@b", undefined],
    ["a@b.c\r\nbcc: x@y.z", undefined],
    ["ä@people.test", undefined],
    ["\u212aim@people.test", undefined],
    ["kim@\u212aites.test", undefined],
    ["a@-people.test", undefined],
    ["r&d@venue.com", "r&d@venue.com"],
    ["Anna@xn--e1afmkfd.XN--p1ai", "anna@xn--e1afmkfd.xn--p1ai"],
    ["a..b@people.test", undefined],
    ["anna.@people.test", undefined],
    ["anna@people.t", undefined],
    [42, undefined],
  ])("normalizes %j to %j", (text, email) => expect(normalizeEmail(text)).toBe(email));

  it.each([
    ["+1 (512) 555-0143", "15125550143"],
    ["15125550143", "15125550143"],
    ["+49 (0)30 123456", "4930123456"],
    ["0049 (0) 30 123456", "4930123456"],
    ["+39 (0)6 1234 5678", "390612345678"],
    ["0512555", undefined],
    ["+1512abc0143", undefined],
  ])("normalizes the number %j to %j", (text, phone) => expect(normalizePhone(text)).toBe(phone));
});

describe("refresh token", () => {
  const seqs = fc.integer({ min: 1, max: 5_000 });
  it("rotates when newest, repeats when its child is newest, and is theft when older", () => {
    fc.assert(
      fc.property(seqs, fc.nat(5_000), (seq, older) => {
        const decision = decideRotation({ seq, newest: seq + older, family: 1, familyInUse: 1, newestFamily: 1 });
        expect(decision).toBe(older === 0 ? "rotate" : older === 1 ? "repeat" : "theft");
      }),
    );
  });

  it("stays unchanged while a stronger one may be in transit, and is theft once that one was used", () => {
    fc.assert(
      fc.property(seqs, fc.nat(5_000), fc.integer({ min: 2, max: 9 }), (seq, older, newestFamily) => {
        const place = { seq, newest: seq + older, family: 1, newestFamily };
        expect(decideRotation({ ...place, familyInUse: 1 })).toBe(older <= 1 ? "keep" : "theft");
        expect(decideRotation({ ...place, familyInUse: 2 })).toBe("theft");
      }),
    );
  });
});

it("lasts ten times the client's margin of 90 seconds, with keys cached for ten minutes", () => {
  expect(lifetimes.accessToken).toBeGreaterThan(10 * 90);
  expect(lifetimes.keyCache).toBe(600);
});
