import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { exportedTables } from "#app/admin/export.ts";
import { personalDataTables } from "#app/personal-data/index.ts";
import { type ListedTable, operatorColumns, withheldReasons } from "#platform/personal-data/data-export.ts";

const root = path.resolve(import.meta.dirname, "../..");
const schema = readFileSync(path.join(root, "src/platform/db/schema.ts"), "utf8");

function tablesOf(source: string): Map<string, string[]> {
  const tables = [...source.matchAll(/^ {2}(\w+): \{\n([\s\S]*?)^ {2}\};/gm)];
  return new Map(
    tables.map(([, table = "", body = ""]) => [
      table,
      [...body.matchAll(/^ {4}(\w+): /gm)].map(([, name = ""]) => name),
    ]),
  );
}

/** Returns columns without a list, and tables in no list or in several. */
function unplaced(source: string, lists: readonly ListedTable[]): string[] {
  return [...tablesOf(source)].flatMap(([table, columns]) => {
    const found = lists.filter((list) => list.table === table);
    const [list] = found;
    if (!list || found.length > 1) return [`${table} is listed ${found.length} times`];
    const isUnexported = list.exported.length === 0 && Object.keys(list.withheld).length === 0;
    const placed = new Set([...list.exported, ...Object.keys(list.withheld)]);
    return isUnexported ? [] : columns.filter((column) => !placed.has(column)).map((column) => `${table}.${column}`);
  });
}

test("lists every column, and finds a planted one", () => {
  expect(tablesOf(schema).size).toBeGreaterThan(30);
  expect(tablesOf(schema).get("users")).toContain("password_hash");
  expect(unplaced(schema, personalDataTables)).toEqual([]);
  const planted = schema.replace("  users: {", "  users: {\n    new_secret: string;");
  expect(unplaced(planted, personalDataTables)).toEqual(["users.new_secret"]);
  expect(unplaced(schema, [...personalDataTables, ...personalDataTables.slice(0, 1)])).toEqual([
    "users is listed 2 times",
  ]);
});

test("lists no column that the schema lacks", () => {
  const tables = tablesOf(schema);
  const unknown = personalDataTables.flatMap(({ table, exported, withheld, personal }) =>
    [...exported, ...Object.keys(withheld), ...Object.keys(personal?.columns ?? {})].filter(
      (column) => !tables.get(table)?.includes(column),
    ),
  );
  expect(unknown).toEqual([]);
});

/** Fingerprints, keys and tokens: these names are always secrets, regardless of the lists. */
const secretName = /password|secret|token|nonce|(?<!terms_|document_|thumb)hash|private_key|checkout_url/;

test("withholds columns with the name of a secret", () => {
  const leaks = personalDataTables.flatMap((list) =>
    operatorColumns(list)
      .filter((column) => secretName.test(column) && column !== "password_changed_at")
      .map((column) => `${list.table}.${column}`),
  );
  expect(leaks).toEqual([]);
  expect(Object.keys(withheldReasons)).toContain("secret");
});

test("writes only listed tables in the operator's export", () => {
  const listed = new Set(personalDataTables.filter((list) => list.exported.length > 0).map(({ table }) => table));
  expect(exportedTables.filter((table) => !listed.has(table))).toEqual([]);
});
