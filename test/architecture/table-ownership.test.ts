import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

/** The module that writes each table. Add new tables here. */
const owners: Record<string, string> = {
  event_outbox: "platform",
  rate_limits: "platform",
  operator_notices: "platform",
  seed_markers: "platform",
  installation_clock: "platform",
  installation_keys: "platform",
  migrations: "platform",
  backups: "app",
  missing_files: "app",
  component_tests: "app",
  users: "users",
  profiles: "users",
  sessions: "users",
  known_networks: "users",
  ended_sessions: "users",
  refresh_tokens: "users",
  one_time_tokens: "users",
  admin_requests: "users",
  factors: "users",
  identities: "users",
  factor_challenges: "users",
  passkey_challenges: "users",
  profile_claims: "users",
  recovery_codes: "users",
  signing_keys: "users",
  account_changes: "users",
  operator_tokens: "users",
  artists: "artists",
  artist_media: "artists",
  artist_files: "artists",
  artist_samples: "artists",
  bookings: "bookings",
  date_reservations: "calendar",
  past_holds: "calendar",
  calendar_feeds: "calendar",
  external_calendars: "calendar",
  calendar_connections: "calendar",
  calendar_connection_shows: "calendar",
  holds: "calendar",
  hold_nights: "calendar",
  hold_challenges: "calendar",
  pay_links: "bookings",
  balance_schedules: "bookings",
  balance_steps: "bookings",
  balance_consents: "bookings",
  no_show_reports: "bookings",
  force_majeure_proposals: "bookings",
  payments: "payments",
  payment_payers: "payments",
  saved_cards: "payments",
  refunds: "payments",
  provider_events: "platform",
  provider_charges: "payments",
  reconciliations: "reconciliation",
  unreconciled_items: "payments",
  artist_connect: "payouts",
  former_payment_accounts: "payouts",
  disputes: "disputes",
  dispute_evidence: "disputes",
  dispute_files: "disputes",
  payouts: "payouts",
  transfers: "payouts",
  transfer_reversals: "payouts",
  ledger_groups: "ledger",
  ledger_entries: "ledger",
  ledger_unsummed: "ledger",
  ledger_daily_sums: "ledger",
  sandbox_objects: "sandbox",
  sandbox_requests: "sandbox",
  documents: "invoicing",
  document_sellers: "invoicing",
  document_files: "invoicing",
  documents_due: "invoicing",
  contracts: "contracts",
  contract_documents: "contracts",
  contract_signers: "contracts",
  contract_signing_codes: "contracts",
  contract_links: "contracts",
  contract_events: "contracts",
  reviews: "reviews",
  review_replies: "reviews",
  review_reports: "reviews",
  contract_seals: "contracts",
  contract_objections: "contracts",
  contract_templates: "contracts",
  settings: "settings",
  activity: "activity",
  activity_chain: "activity",
  job_runs: "platform",
  messages: "delivery",
  contact_messages: "notifications",
  email_templates: "notifications",
};
const alsoAllowed = new Set(["seed seed_markers"]);

const written = [
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*["'`](\w+)/g,
  /\bupdateById\(\s*\w+,\s*["'`](\w+)/g,
  /\b(?:insert\s+into|delete\s+from|truncate(?:\s+table)?)\s+(\w+)/gi,
  /\bupdate\s+(\w+)\s+(?:as\s+\w+\s+|\w\s+)?set\b/gi,
];

/** Returns the writes of one source text, as "module table". */
function writesIn(module: string, text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  return written.flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => `${module} ${match[1]?.toLowerCase()}`),
  );
}

const strangersIn = (module: string, text: string) =>
  writesIn(module, text).filter((write) => {
    const [, table = ""] = write.split(" ");
    return table in owners && owners[table] !== module && !alsoAllowed.has(write);
  });

const sources = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("web"))
    .map((file) => path.join(folder, file));

test("finds only writes by the owning module", () => {
  const files = [...sources("src"), ...sources("sandbox"), ...sources("seed")];
  expect(files.length).toBeGreaterThan(60);
  const strangers = files.flatMap((file) => {
    const [top = "", inSrc = ""] = file.split(path.sep);
    const module = top === "src" ? inSrc : top;
    return strangersIn(module, readFileSync(path.join(root, file), "utf8")).map((write) => `${file}: ${write}`);
  });
  expect(strangers).toEqual([]);
});

/** Seed import and load-test data write in bulk, in separate files. The migration runner records its migrations. */
const mayWrite = /(^|[/.])(store|seed-import|load-test-data)\.ts$|^src\/platform\/db\/migrate\.ts$/;

const writesOutsideStores = (file: string, text: string): string[] =>
  mayWrite.test(file.split(path.sep).join("/"))
    ? []
    : writesIn(file.split(path.sep)[1] ?? "", text).filter((write) => (write.split(" ")[1] ?? "") in owners);

test("finds write statements only in store files", () => {
  const files = sources("src");
  const found = files.flatMap((file) =>
    writesOutsideStores(file, readFileSync(path.join(root, file), "utf8")).map((write) => `${file}: ${write}`),
  );
  expect(found).toEqual([]);
  const at = (...names: string[]) => path.join("src", "users", ...names);
  expect(writesOutsideStores(at("gotrue", "user.ts"), 'tx.updateTable("users").set({})')).toEqual(["users users"]);
  expect(writesOutsideStores(at("sessions", "sessions.store.ts"), 'tx.deleteFrom("sessions")')).toEqual([]);
  expect(writesOutsideStores(at("store.ts"), 'tx.deleteFrom("users")')).toEqual([]);
  const limits = path.join("src", "platform", "limits.ts");
  expect(writesOutsideStores(limits, "sql`delete from rate_limits`")).toEqual(["platform rate_limits"]);
});

/** Reads that join other modules' tables are in separate files. A write may depend on them. Exports read everything. */
const mayJoin = /(^|[/.])(views|store|seed-import)\.ts$|^src\/app\/personal-data\//;

/** Reports that join several modules, and the operator's commands that check and copy the whole database. */
const operators = /^src\/(reports|app\/admin)\//;

const read = [
  /\.(?:selectFrom|innerJoin|leftJoin|rightJoin|fullJoin|leftJoinLateral)\(\s*\[?["'`](\w+)/g,
  /\b(?:from|join)\s+(\w+)(?=[\s`)])/gi,
];

/** Returns the reads of other modules' tables in one source text, as "module table". */
function foreignReads(file: string, text: string): string[] {
  const [, module = ""] = file.split(path.sep);
  if (mayJoin.test(file.split(path.sep).join("/"))) return [];
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$|^import .*$/gm, "");
  const found = read.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1]?.toLowerCase() ?? ""));
  return [...new Set(found)]
    .filter((table) => table in owners && owners[table] !== module)
    .map((table) => `${module} ${table}`);
}

test("finds reads of other modules' tables only in view files", () => {
  const files = sources("src").filter((file) => !operators.test(file.split(path.sep).join("/")));
  const found = files.flatMap((file) =>
    foreignReads(file, readFileSync(path.join(root, file), "utf8")).map((one) => `${file}: ${one}`),
  );
  expect(found).toEqual([]);
  const at = (name: string) => path.join("src", "users", name);
  expect(foreignReads(at("claims.ts"), 'tx.selectFrom("artists as a")')).toEqual(["users artists"]);
  expect(foreignReads(at("claims.ts"), "sql`select 1 from users u join bookings b on true`")).toEqual([
    "users bookings",
  ]);
  expect(foreignReads(at("claims.views.ts"), 'tx.selectFrom("artists")')).toEqual([]);
});

test("finds an owner of every table", () => {
  const schema = readFileSync(path.join(root, "src/platform/db/schema.ts"), "utf8");
  const tables = [...(schema.split("export interface DB {")[1] ?? "").matchAll(/^ {2}(\w+):/gm)].map(
    (match) => match[1] ?? "",
  );
  expect(tables.length).toBeGreaterThan(20);
  expect(tables.filter((table) => !(table in owners))).toEqual([]);
});

test("finds planted violations", () => {
  expect(strangersIn("payments", 'tx.updateTable("bookings").set({})')).toEqual(["payments bookings"]);
  expect(strangersIn("payments", 'updateById(tx, "bookings", id, {})')).toEqual(["payments bookings"]);
  expect(strangersIn("users", "sql`insert into payments (id) values (1)`")).toEqual(["users payments"]);
  expect(strangersIn("web", "sql`update artists a set x = 1`")).toEqual(["web artists"]);
  expect(strangersIn("calendar", 'tx.deleteFrom("date_reservations")')).toEqual([]);
});
