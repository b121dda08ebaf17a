import { listTable, unexportedTable } from "#platform/data-export.ts";

export const activityDataLists = [
  listTable("activity", {
    // What an admin did to somebody else is that person's entry, not the admin's.
    rows: { userId: ["ref_id"], through: { ref_id: "artists" } },
    personal: {
      reason: "Who did what to which booking or payment.",
      columns: { message: { retained: "log" }, meta: { retained: "log" } },
      erase: "keep",
    },
    exported: ["id", "type", "ref_id", "message", "created_at"],
    withheld: { actor_id: "others", meta: "others", position: "internal" },
  }),
  unexportedTable("activity_chain"),
];
