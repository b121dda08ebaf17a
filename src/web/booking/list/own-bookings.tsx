import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { type OwnBookingSort, ownBookingSorts, savedFilters } from "#bookings/rules/list.rules.ts";
import { useListAddress, useSort } from "../../dashboard/lists/address.ts";
import { ExportButton, FilterTabs, ListFilters, useListFilters } from "../../dashboard/lists/list-filters.tsx";
import { EmptyList, type InfiniteListQuery, ListBody, LoadMore } from "../../dashboard/lists/list-states.tsx";
import type { BookingsSummary, OwnBookingsInput } from "../../lib/api/booking-lists.ts";
import { LinkButton } from "../../ui/button.tsx";
import { savedFilterLabels } from "./saved-filter-labels.ts";
import styles from "../../dashboard/lists/list.module.css";

type Shown<B> = Readonly<{
  bookings: readonly B[];
  caption: string;
  standardSort: OwnBookingSort;
  sums: NonNullable<BookingsSummary>["sums"] | undefined;
}>;

type Props<B> = Readonly<{
  placeholder: string;
  exported: "artistBookings" | "promoterBookings";
  useBookings(options: OwnBookingsInput): Readonly<{
    query: InfiniteListQuery;
    bookings: readonly B[] | undefined;
    summary: NonNullable<BookingsSummary> | undefined;
  }>;
  /** Shown alone to a user without any booking, instead of tabs and filters without content. */
  none: Readonly<{ title: string; text: string; children?: ReactNode }>;
  pending: ReactNode;
  children(shown: Shown<B>): ReactNode;
}>;

const tabs = [...savedFilters, "all"] as const;
type Tab = (typeof tabs)[number];

const nothing: Readonly<Record<Tab, string>> = {
  upcoming: "No upcoming bookings.",
  needs_you: "Nothing needs you right now.",
  unpaid: "Nothing left to pay.",
  past: "No past or canceled bookings yet.",
  all: "No bookings yet",
};

export function OwnBookings<B>({ placeholder, exported, useBookings, none, pending, children }: Props<B>) {
  // The query of the pending actions, so they and the filters disappear together.
  const { summary: whole } = useBookings({ search: "", show: "needs_you", sort: undefined });
  const { search } = useListFilters();
  const [query] = useSearchParams();
  // A search looks through all bookings, unless a tab was chosen.
  const firstTab: Tab = search ? "all" : "upcoming";
  const tab = tabs.find((one) => one === query.get("show")) ?? firstTab;
  const sort = useSort(ownBookingSorts);
  const { query: list, bookings, summary } = useBookings({ search, show: tab === "all" ? undefined : tab, sort });
  const counts = summary?.counts;
  const standardSort = tab === "past" ? "-event" : "event";
  if (whole?.counts.all === 0)
    return (
      <>
        {pending}
        <EmptyList {...none} />
      </>
    );
  return (
    <>
      {pending}
      <FilterTabs
        label="Saved filters"
        name="show"
        chosen={tab === firstTab ? "" : tab}
        tabs={tabs.map((value) => ({
          value: value === firstTab ? "" : value,
          label: savedFilterLabels[value],
          count: search && counts?.all === 0 ? undefined : counts?.[value],
        }))}
      />
      <div className={styles.tools}>
        <ListFilters placeholder={placeholder} />
        <ExportButton list={exported} filters={{ search, show: tab === "all" ? "" : tab }} />
      </div>
      <ListBody
        query={list}
        what="Bookings"
        count={bookings?.length}
        foot={<LoadMore query={list} count={bookings?.length ?? 0} />}
        empty={
          search
            ? {
                title: "No bookings found matching your criteria.",
                children: counts?.all ? (
                  <Others found={counts.all} />
                ) : (
                  <LinkButton tone="line" to="?show=all">
                    Show all bookings
                  </LinkButton>
                ),
              }
            : counts?.all === 0
              ? none
              : { title: nothing[tab], children: <Others found={counts?.all} /> }
        }
      >
        {children({
          bookings: bookings ?? [],
          caption: `${savedFilterLabels[tab]} bookings`,
          standardSort,
          sums: summary?.sums,
        })}
      </ListBody>
    </>
  );
}

function Others({ found = 0 }: Readonly<{ found: number | undefined }>) {
  const address = useListAddress();
  if (found === 0) return null;
  return (
    <LinkButton tone="line" to={address({ show: "all" })}>
      {found === 1 ? "Show the booking" : `Show all ${found.toLocaleString("en-US")} bookings`}
    </LinkButton>
  );
}
