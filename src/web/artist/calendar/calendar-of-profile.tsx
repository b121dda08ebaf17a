import type { ReactNode } from "react";
import { ListLoading } from "../../dashboard/lists/list-states.tsx";
import { useOwnProfile } from "../../lib/api/artist/own-profile.ts";
import { NoProfileSheet } from "../no-profile.tsx";

/** Shows the calendar only to an artist with a profile, because its requests fail without one. */
export function CalendarOfProfile({ children }: Readonly<{ children: ReactNode }>) {
  const profile = useOwnProfile();
  if (profile.isPending) return <ListLoading what="your calendar" />;
  if (profile.data?.slug !== null) return children;
  return <NoProfileSheet text="Your account has no artist profile yet, so you cannot be booked." />;
}
