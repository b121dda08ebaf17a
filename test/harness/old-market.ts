/** The demo market of an earlier version (test/fixtures), and the later changes of its tables. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";

/** The key that encrypted the market's secrets. The market is fictional, so it protects nothing. */
export const oldMarketKey = "eZuGqsLWLoDc5IVkdWucVsxDafm1cn8zXDlEqsKS0Os=";

/** The market's booking with a deposit of the last day, and the one with an open checkout. */
export const oldBookings = {
  paid: "fd7130e5-7e1b-4fbf-8982-0d37cf6b9a77",
  open: "bd82c9e6-44c6-4d02-8d8a-e9c1955a9f6b",
} as const;

/** Old name → current name of every renamed or merged table. A table that the current schema lacks must be listed here. */
const renamed: Readonly<Record<string, string>> = {
  artist_claims: "profile_claims",
  console_tokens: "operator_tokens",
  date_claims: "date_reservations",
  esign_events: "provider_events",
  known_places: "known_networks",
  marks: "seed_markers",
  outbox: "event_outbox",
  unexplained_items: "unreconciled_items",
};

export const oldMarket = (): string =>
  gunzipSync(readFileSync(path.join(import.meta.dirname, "../fixtures/demo-market-7055c46.sql.gz"))).toString("utf8");

/** Returns the number of rows per table, by its current name. The list of migrations is omitted because it grows. */
export function oldRowCounts(script: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, old = "", rows] of script.matchAll(/^-- rows of (\w+): (\d+)$/gm)) {
    const table = renamed[old] ?? old;
    if (table !== "migrations") counts[table] = (counts[table] ?? 0) + Number(rows);
  }
  return counts;
}
