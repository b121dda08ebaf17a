/** One's own bookings in two groups, each by event date: what is ahead first, past ones collapsed below it. */
import { type ReactNode, useState } from "react";
import type { OwnBookingsInput } from "../../lib/api/booking-lists.ts";
import { ListFilters, useListFilters } from "./list-filters.tsx";
import { ListBody, type ListQuery } from "./list-states.tsx";
import styles from "./list.module.css";

type Props<B> = Readonly<{
  placeholder: string;
  /** Reads one of the groups. */
  useBookings(options: OwnBookingsInput): Readonly<{ query: ListQuery; bookings: readonly B[] | undefined }>;
  /** The text for a user without any bookings, and the link to make one. */
  none: Readonly<{ title: string; text: string; children?: ReactNode }>;
  /** Draws the bookings of a group; `whole` when none are left to be loaded. */
  children(bookings: readonly B[], group: "Upcoming" | "Past and canceled", whole: boolean): ReactNode;
}>;

/** Draws the search and both groups. A search looks through both; so does a person with nothing ahead. */
export function BookingGroups<B>({ placeholder, useBookings, none, children }: Props<B>) {
  const { search } = useListFilters();
  const [open, setOpen] = useState(false);
  const ahead = useBookings({ search, when: "upcoming", asked: true });
  const nothingAhead = ahead.bookings?.length === 0 && !ahead.query.error;
  const pastAsked = open || search !== "" || nothingAhead;
  const past = useBookings({ search, when: "past", asked: pastAsked });
  const empty = search ? { title: "No bookings found matching your criteria." } : none;
  // A server that does not answer is reported once.
  const failed = ahead.query.error !== null && !ahead.query.isFetching;
  const nothingPast = past.bookings?.length === 0 && !past.query.error;
  return (
    <>
      <ListFilters placeholder={placeholder} />
      {nothingAhead && !nothingPast ? null : (
        <Group title={ahead.bookings?.length ? "Upcoming" : undefined}>
          <ListBody query={ahead.query} what="Bookings" count={ahead.bookings?.length} empty={empty}>
            {children(ahead.bookings ?? [], "Upcoming", ahead.query.hasNextPage === false)}
          </ListBody>
        </Group>
      )}
      {nothingAhead && past.bookings?.length ? (
        <p className={styles.quietly}>{search ? "Nothing ahead matches." : "No bookings ahead."}</p>
      ) : null}
      {ahead.bookings && !pastAsked ? (
        <button className="btn line" type="button" aria-expanded={false} onClick={() => setOpen(true)}>
          Show past and canceled bookings
        </button>
      ) : null}
      {pastAsked && !nothingPast && !failed ? (
        <Group title="Past and canceled">
          <ListBody query={past.query} what="Past bookings" count={past.bookings?.length} empty={empty}>
            {children(past.bookings ?? [], "Past and canceled", past.query.hasNextPage === false)}
          </ListBody>
        </Group>
      ) : null}
      {open && nothingPast && !nothingAhead ? (
        <p className={styles.quietly}>No bookings are over or canceled yet.</p>
      ) : null}
    </>
  );
}

function Group({ title, children }: Readonly<{ title: string | undefined; children: ReactNode }>) {
  return (
    <section className={styles.group} aria-label={title}>
      {title ? <h2>{title}</h2> : null}
      {children}
    </section>
  );
}
