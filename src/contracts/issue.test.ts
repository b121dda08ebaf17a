import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { freshDatabase } from "#test/database.ts";
import { draftContract } from "./index.ts";
import { canonicalHash } from "./issue.ts";
import type { ContractTerms } from "./rules.ts";

const place = closeAfterFile(await freshDatabase());

const terms = {
  artist: { id: "a", name: "Electric Dreams" },
  promoter: { name: "Robin Vale", email: "robin@example.test", phone: "1" },
  event: { date: "2030-05-01", venueName: "The Lantern Room" },
  money: { feeCents: 150_000 },
  policy: { name: "standard" },
} as ContractTerms;

test("makes one contract per booking, regardless of repeated calls and changed terms", async () => {
  const bookingId = crypto.randomUUID();
  const drafts = await Promise.all(
    [terms, { ...terms, money: { ...terms.money, feeCents: 1 } }].map((given) =>
      place.database.transaction((tx) => draftContract(tx, { bookingId, terms: given })),
    ),
  );
  expect(new Set(drafts.map((draft) => draft.id)).size).toBe(1);
  expect(drafts[0]?.signed_status).toBe("draft");
});

test("computes the fingerprint from the terms, regardless of their order", () => {
  const { artist, ...rest } = terms;
  expect(canonicalHash({ ...rest, artist })).toBe(canonicalHash(terms));
  expect(canonicalHash({ ...terms, artist: { ...artist, name: "Electric Dream" } })).not.toBe(canonicalHash(terms));
});
