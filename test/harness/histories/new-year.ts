/** Bookings that are paid before and played after a new year on which tax, commission and the artists' legal details change. */

import { changeArtistSettings } from "#settings/index.ts";
import type { TestApp } from "#test/test-app.ts";
import { expectDocumented, issueDocuments } from "../documents.ts";
import { moveTo } from "./histories.ts";
import { actions, beginLife, type History, type Kind, type Life, savePlatform } from "./history-actions.ts";

export const firstDay = new Date("2026-12-28T09:00:00Z");
/** Midnight in Auckland, on 31 December in UTC and in the artists' Chicago. */
const newYear = "2026-12-31T11:00:00Z";

export const before = {
  legalName: "Old Act GmbH",
  legalAddress: "1 Old Street\nWien",
  taxId: "ATU1",
  taxLabel: "USt",
  taxBps: 700,
};
export const after = {
  legalName: "New Act Ltd",
  legalAddress: "2 New Road\nLeeds",
  taxId: "GB2",
  taxLabel: "VAT",
  taxBps: 1_350,
};
export const seller = {
  legalName: "Stagedoor Ltd",
  legalAddress: "3 Quay\nAuckland",
  taxId: "NZ3",
  taxLabel: "GST",
  pricesIncludeTax: true,
};

export const lives: Record<
  "played" | "disputed" | "canceled" | "declined" | "returned",
  Pick<History, "currency" | "fee" | "daysAhead">
> = {
  played: { currency: "eur", fee: 123_457, daysAhead: 9 },
  disputed: { currency: "usd", fee: 99_999, daysAhead: 12 },
  canceled: { currency: "sek", fee: 1_500_001, daysAhead: 20 },
  declined: { currency: "usd", fee: 33_333, daysAhead: 15 },
  returned: { currency: "eur", fee: 70_007, daysAhead: 8 },
};
type Name = keyof typeof lives;

/** The last two steps before the new year are minutes before midnight, the next one minutes after it. */
const steps: readonly (readonly [at: string, name: Name, kind: Kind, part?: number])[] = [
  ["2026-12-28T10:00:00Z", "played", "connect account"],
  ["2026-12-28T10:00:00Z", "returned", "connect account"],
  ["2026-12-28T10:00:00Z", "canceled", "connect account"],
  ["2026-12-28T11:00:00Z", "played", "deposit"],
  ["2026-12-28T11:00:00Z", "canceled", "deposit"],
  ["2026-12-28T11:00:00Z", "declined", "deposit"],
  ["2026-12-28T11:00:00Z", "returned", "deposit"],
  ...(["played", "canceled", "declined", "returned"] as const).flatMap((name) =>
    (["sign as promoter", "sign as artist", "balance"] as const).map(
      (kind) => ["2026-12-29T12:00:00Z", name, kind] as const,
    ),
  ),
  ["2026-12-31T10:40:00Z", "declined", "cancel as artist"],
  ["2026-12-31T10:50:00Z", "canceled", "refund in dashboard", 101],
  ["2026-12-31T11:10:00Z", "disputed", "deposit"],
  ["2027-01-02T11:00:00Z", "canceled", "cancel as promoter"],
  ["2027-01-03T11:00:00Z", "disputed", "dispute", 0],
  ["2027-01-04T11:00:00Z", "disputed", "decide dispute", 0],
  ["2027-01-16T11:00:00Z", "played", "refund in dashboard", 333],
  ["2027-01-16T12:00:00Z", "returned", "reverse in dashboard", 500],
  ["2027-01-17T12:00:00Z", "returned", "dispute", 0],
  ["2027-01-18T12:00:00Z", "returned", "decide dispute", 1],
  ["2027-01-20T12:00:00Z", "returned", "pay outside"],
];

/** Plays the steps from `firstDay` until both years have all their documents. */
export async function playNewYear(app: TestApp, adminId: string, adminHeaders: Record<string, string>) {
  const inTx = app.database.transaction;
  const of = {} as Record<Name, Life>;
  const saveArtists = (values: typeof before) =>
    inTx(async (tx) => {
      for (const { artistId } of Object.values(of)) await changeArtistSettings(tx, artistId, values, adminId);
    });
  await inTx((tx) =>
    savePlatform(tx, { ...seller, taxBps: 1_500, timeZone: "Pacific/Auckland", commissionBps: 1_000 }),
  );
  const others: Omit<History, "currency" | "fee" | "daysAhead"> = {
    hour: 20,
    minutes: 120,
    policy: "standard",
    requiresDeposit: true,
    card: "not kept",
    actions: [],
  };
  for (const [index, [name, history]] of Object.entries(lives).entries()) {
    // The commission of the request applies until its end.
    if (name === "disputed") await inTx((tx) => savePlatform(tx, { commissionBps: 1_250 }));
    of[name as Name] = await beginLife(app, { ...others, ...history }, index, adminHeaders);
  }
  await saveArtists(before);
  for (const [at, name, kind, part = 0] of steps) {
    if (at > newYear && app.services.clock.now() < new Date(newYear)) {
      await moveTo(app, new Date(newYear));
      await issueDocuments(app.services);
      await inTx((tx) => savePlatform(tx, { taxBps: 1_600 }));
      await saveArtists(after);
    }
    await moveTo(app, new Date(at));
    await actions[kind](app, of[name], part);
    await app.services.sandbox?.settle();
    await app.settle();
    await issueDocuments(app.services);
  }
  await moveTo(app, new Date("2027-03-20T11:00:00Z"));
  await issueDocuments(app.services);
  await expectDocumented(app.database.db);
  return of;
}
