/** Which columns of this module's tables leave the installation. */
import { listTable } from "#platform/data-export.ts";
import { artistShape, platformShape, promoterShape } from "./rules.ts";

export const settingsDataLists = [
  listTable("settings", {
    rows: { userId: ["owner_id"], through: { owner_id: "artists" } },
    exported: ["scope", "owner_id", "value", "updated_at"],
    withheld: { version: "internal", updated_by: "others" },
    // The documents hold encrypted provider keys beside the settings.
    jsonKeys: { value: [platformShape, artistShape, promoterShape].flatMap((shape) => Object.keys(shape)) },
  }),
];
