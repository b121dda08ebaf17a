/**
 * `npm run bench`: figures measured in one run on this computer, each with its target. Arguments choose parts (api, search, pages, feeds,
 * memory, scripts, contracts, reconcile, webhooks, payments, start). million, million-backup, nights and payment-search load a million rows and run
 * only by name. Never part of the tests, because other load would decide them.
 */

import { benchApi } from "./api.ts";
import { benchContracts } from "./contracts.ts";
import { startFixture } from "./fixture.ts";
import { benchHostileFeeds } from "./hostile-feeds.ts";
import { benchMemory } from "./memory.ts";
import { benchMillionBackup } from "./million/backup.ts";
import { benchNights } from "./million/nights.ts";
import { benchPaymentSearch } from "./million/payment-search.ts";
import { benchMillion } from "./million/search.ts";
import { benchPages } from "./pages.ts";
import { benchPaymentsFirst } from "./payments-first.ts";
import { benchReconcile } from "./reconcile.ts";
import { type Figure, printFigures, printRows, type Row } from "./report.ts";
import { benchScriptTime } from "./script-time.ts";
import { benchSearch } from "./search.ts";
import { benchStart } from "./start.ts";
import { benchWebhooks } from "./webhooks.ts";

const chosen = new Set(process.argv.slice(2));
const wants = (part: string) => chosen.size === 0 || chosen.has(part);

const rows: Row[] = [];
const figures: Figure[] = [];
{
  await using fixture = await startFixture();
  if (wants("api")) rows.push(...(await benchApi(fixture)));
  if (wants("search")) figures.push(...(await benchSearch(fixture)));
  if (wants("pages")) figures.push(...(await benchPages(fixture)));
  if (wants("webhooks")) figures.push(...(await benchWebhooks(fixture)));
  if (wants("payments")) figures.push(...(await benchPaymentsFirst(fixture)));
  if (wants("feeds")) figures.push(...(await benchHostileFeeds(fixture)));
  if (wants("memory")) figures.push(...(await benchMemory(fixture)));
}
if (chosen.has("million")) figures.push(...(await benchMillion()));
if (chosen.has("million-backup")) figures.push(...(await benchMillionBackup()));
if (chosen.has("nights")) figures.push(...(await benchNights()));
if (chosen.has("payment-search")) figures.push(...(await benchPaymentSearch()));
if (wants("scripts")) figures.push(...(await benchScriptTime()));
if (wants("contracts")) figures.push(...(await benchContracts()));
if (wants("reconcile")) figures.push(...(await benchReconcile()));
if (wants("start")) figures.push(...(await benchStart()));
const reached = [rows.length === 0 || printRows(rows), printFigures(figures)];
process.exitCode = reached.every(Boolean) ? 0 : 1;
