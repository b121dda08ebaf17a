import type { Selectable, UpdateObject } from "kysely";
import type { DB, Tx } from "./index.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns true if the text has the form of an id. Other text is never sent to the database as an id. */
export const isUuid = (text: string): boolean => uuid.test(text);

type TableWithId = { [Table in keyof DB]: Selectable<DB[Table]> extends { id: string } ? Table : never }[keyof DB];

export async function updateById<Table extends TableWithId>(
  tx: Tx,
  table: Table,
  id: string,
  values: UpdateObject<DB, Table>,
): Promise<void> {
  await tx
    .updateTable<TableWithId>(table)
    .set(values as never)
    .where("id", "=", id as never)
    .execute();
}
