import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { bookingStatuses, bookingStatusNames } from "#bookings/rules.ts";
import { bookingSorts, savedFilters } from "#bookings/rules/list.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { BookingList } from "../booking/list/booking-list.tsx";
import { savedFilterLabels } from "../booking/list/saved-filter-labels.ts";
import { usePage, useSort } from "../dashboard/lists/address.ts";
import {
  ExportButton,
  FilterTabs,
  ListFilters,
  useListDays,
  useListFilters,
} from "../dashboard/lists/list-filters.tsx";
import { PagedBody } from "../dashboard/lists/paged-body.tsx";
import { PageHead } from "../dashboard/page-head.tsx";
import { useAdminBookings } from "../lib/api/booking-lists.ts";
import { LinkButton } from "../ui/button.tsx";
import { HoldsList } from "./holds/holds-list.tsx";
import pages from "../dashboard/lists/pages.module.css";

export const meta = () => [{ title: "Bookings: Admin Panel" }];

const bySavedFilter = {
  name: "show",
  label: "Saved filter",
  all: "Show: everything",
  choices: savedFilters.map((value) => ({ value, label: `Show: ${savedFilterLabels[value].toLowerCase()}` })),
};

/** Nights on hold are not bookings yet and have their own list. */
const views = [
  { value: "", label: "Bookings", to: paths.admin.bookings },
  { value: "holds", label: "Holds", to: paths.admin.holds },
];

export default function AdminBookingsPage() {
  const [query] = useSearchParams();
  return query.get("view") === "holds" ? (
    <>
      <Head view="holds">
        <ExportButton list="holds" filters={{}} />
      </Head>
      <HoldsList />
    </>
  ) : (
    <Bookings />
  );
}

function Head({ view, children }: Readonly<{ view: string; children?: ReactNode }>) {
  return (
    <PageHead
      title="Bookings"
      actions={
        <>
          <nav className={pages.switch} aria-label="View">
            {views.map(({ value, label, to }) => (
              <Link key={value} to={to} aria-current={value === view ? "page" : undefined}>
                {label}
              </Link>
            ))}
          </nav>
          {children}
        </>
      }
    />
  );
}

function Bookings() {
  const { search, chosen } = useListFilters(bySavedFilter);
  const [query] = useSearchParams();
  const status = bookingStatusNames.find((one) => one === query.get("status"));
  const sort = useSort(bookingSorts);
  const show = savedFilters.find((one) => one === chosen);
  const days = useListDays();
  const list = useAdminBookings({ search, status, show, ...days, sort, page: usePage() });
  // Without a match, zeros would read as if the bookings were gone.
  const counts = (list.data?.by_status?.length && list.data.by_status) || undefined;
  const countOf = (name: string) => counts && (counts.find((one) => one.status === name)?.count ?? 0);
  return (
    <>
      <Head view="">
        <ExportButton list="bookings" filters={{ search, status: status ?? "", show: chosen, ...days }} />
      </Head>
      <FilterTabs
        label="Status"
        name="status"
        chosen={status ?? ""}
        tabs={[
          { value: "", label: "All", count: counts?.reduce((sum, one) => sum + one.count, 0) },
          ...bookingStatusNames.map((value) => ({ value, label: bookingStatuses[value].label, count: countOf(value) })),
        ]}
      />
      <ListFilters placeholder="Artist, promoter, venue or number" filter={bySavedFilter} days="Requested" />
      <PagedBody
        query={list}
        what="Bookings"
        empty={{
          title: "No bookings found matching your criteria.",
          ...(search || status || show || days.from || days.to ? {} : { text: "Requests of promoters appear here." }),
          ...(search && {
            children: (
              <LinkButton tone="line" to="?">
                Show all bookings
              </LinkButton>
            ),
          }),
        }}
      >
        {(bookings) => (
          <BookingList
            caption="Bookings"
            bookings={bookings}
            pageOf={paths.admin.booking}
            viewer="admin"
            exported="bookings"
            sums={list.data?.sums ?? undefined}
          />
        )}
      </PagedBody>
    </>
  );
}
