/** The demo market as an earlier version stored it (test/fixtures), and what has become of its tables since. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";

/** The key that the market's secrets were encrypted with. It protects nothing: the market is made up. */
export const oldMarketKey = "eZuGqsLWLoDc5IVkdWucVsxDafm1cn8zXDlEqsKS0Os=";

/** The booking of that market whose deposit was paid on the last day, and the one whose checkout was still open. */
export const oldBookings = {
  paid: "fd7130e5-7e1b-4fbf-8982-0d37cf6b9a77",
  open: "bd82c9e6-44c6-4d02-8d8a-e9c1955a9f6b",
} as const;

/** Old name → the name today, for every table that was renamed. A table that is missing from today's schema must be named here. */
const renamed: Readonly<Record<string, string>> = {
  artist_claims: "profile_claims",
  console_tokens: "operator_tokens",
  date_claims: "date_reservations",
  known_places: "known_networks",
  marks: "seed_markers",
  outbox: "event_outbox",
  unexplained_items: "unreconciled_items",
};

/** The whole database as one SQL script. */
export const oldMarket = (): string =>
  gunzipSync(readFileSync(path.join(import.meta.dirname, "../fixtures/demo-market-7055c46.sql.gz"))).toString("utf8");

/** How many rows each table had, under its name today. The list of migrations is left out: it grows. */
export function oldRowCounts(script: string): Record<string, number> {
  const counts = Array.from(script.matchAll(/^-- rows of (\w+): (\d+)$/gm), ([, table = "", rows = ""]) => [
    renamed[table] ?? table,
    Number(rows),
  ]);
  return Object.fromEntries(counts.filter(([table]) => table !== "migrations")) as Record<string, number>;
}
