import { listTable } from "#platform/data-export.ts";
import { artistShape, platformShape, promoterShape } from "./rules.ts";

export const settingsDataLists = [
  listTable("settings", {
    rows: { userId: ["owner_id"], through: { owner_id: "artists" } },
    personal: {
      reason: "Preferences of a person. Those of an act hold the seller's name and tax number and stay.",
      columns: { value: { retained: "accounting" } },
      erase: "delete",
      found: { userId: ["owner_id"] },
    },
    exported: ["scope", "owner_id", "value", "updated_at"],
    withheld: { version: "internal", updated_by: "others" },
    // The documents hold encrypted provider keys beside the settings.
    jsonKeys: { value: [platformShape, artistShape, promoterShape].flatMap((shape) => Object.keys(shape)) },
  }),
];
