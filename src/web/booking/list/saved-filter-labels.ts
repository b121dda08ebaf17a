import type { SavedFilter } from "#bookings/rules/list.rules.ts";

export const savedFilterLabels: Readonly<Record<SavedFilter | "all", string>> = {
  upcoming: "Upcoming",
  needs_you: "Needs you",
  unpaid: "Unpaid",
  past: "Past and canceled",
  all: "All",
};
