import type { Selectable, UpdateObject } from "kysely";
import type { DB, Tx } from "./index.ts";

type TableWithId = { [Table in keyof DB]: Selectable<DB[Table]> extends { id: string } ? Table : never }[keyof DB];

/** Updates the row with this id. */
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
