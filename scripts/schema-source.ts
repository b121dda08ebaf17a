import { PGlite } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { btree_gist } from "@electric-sql/pglite/contrib/btree_gist";
import { cube } from "@electric-sql/pglite/contrib/cube";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";

type Column = {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
  filled: boolean;
  fixed: boolean;
  choices: string | null;
};

const typeNames: Record<string, string> = {
  uuid: "string",
  text: "string",
  varchar: "string",
  bpchar: "string",
  date: "string",
  tstzrange: "string",
  inet: "string",
  cube: "string",
  bool: "boolean",
  int2: "number",
  int4: "number",
  int8: "number",
  float4: "number",
  float8: "number",
  timestamptz: "Timestamp",
  jsonb: "Json",
  bytea: "Bytes",
  _text: "string[]",
  _int4: "number[]",
  _uuid: "string[]",
};

/** Returns the text of schema.ts, the types of Kysely's queries, for the image of a migrated database. A column that a check limits to some texts has their type. */
export async function schemaSource(migrated: Blob): Promise<string> {
  const pglite = await PGlite.create({ extensions: { btree_gin, btree_gist, cube, pg_trgm }, loadDataDir: migrated });
  try {
    const { rows } = await pglite.query<Column>(`
      select table_name as table, column_name as column, udt_name as type, is_nullable = 'YES' as nullable,
             column_default is not null or is_identity = 'YES' as filled, is_generated = 'ALWAYS' as fixed,
             (select substring(pg_get_constraintdef(k.oid) from '^CHECK \\(\\(\\w+ = ANY \\(ARRAY(\\[[^]]*\\])\\)\\)\\)$')
              from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and k.conkey = array[a.attnum]
              where k.contype = 'c' and k.conrelid = table_name::regclass and a.attname = column_name
              order by 1 limit 1) as choices
      from information_schema.columns where table_schema = 'public' and table_name <> 'migrations'
        and table_name not in (select v.table_name from information_schema.views v where v.table_schema = 'public')
      order by table_name, ordinal_position`);
    return sourceOf(rows);
  } finally {
    await pglite.close();
  }
}

function sourceOf(columns: readonly Column[]): string {
  const tables = [...Map.groupBy(columns, (column) => column.table)];
  const types = tables.map(([name, ofTable]) => `  ${name}: {\n${ofTable.map(line).join("\n")}\n  };`);
  return `${header}\nexport interface DB {\n${types.join("\n")}\n}\n`;
}

function line({ table, column, type, nullable, filled, fixed, choices }: Column): string {
  const literals = choices?.match(/(?<=')[^']*(?='::text)/g)?.map((choice) => JSON.stringify(choice));
  const name = literals?.join(" | ") ?? typeNames[type];
  if (!name)
    throw new Error(`no TypeScript type is known for ${table}.${column} (${type}); add it to scripts/schema-source.ts`);
  const value = nullable ? `${name} | null` : name;
  if (fixed) return `    ${column}: GeneratedAlways<${value}>;`;
  return `    ${column}: ${filled ? `Generated<${value}>` : value};`;
}

const header = `/** Made by scripts/schema-types.ts from the migrations; never edited by hand. */
import type { ColumnType, GeneratedAlways } from "kysely";

type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;
type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** A JSON document: read it through a zod shape, write it through json() of the platform. */
type Json = unknown;
type Bytes = Uint8Array;
`;
