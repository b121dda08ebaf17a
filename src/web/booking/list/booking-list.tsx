import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { PosterSubject } from "#artists/rules.ts";
import type { OwnBookingSort } from "#bookings/rules/list.rules.ts";
import { DataList, type ListColumn } from "../../dashboard/lists/data-list.tsx";
import { CardLink, RowLink, TwoLines } from "../../dashboard/lists/list-cells.tsx";
import { focusRow } from "../../dashboard/lists/row-keys.ts";
import type { ExportedList } from "../../lib/api/csv-export.ts";
import { useMediaQuery } from "../../lib/browser/use-media-query.ts";
import { formatWeekdayDate } from "../../lib/format/dates.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import {
  describePaid,
  describePayment,
  describePrices,
  describeTotals,
  formatPrice,
  sumTotals,
} from "./booking-format.ts";
import { type MenuBooking, BookingMenu } from "./booking-menu.tsx";
import styles from "../../dashboard/lists/list.module.css";

const BookingPreview = lazy(() => import("./booking-preview.tsx"));

/** The common fields of a listed booking. Amounts are minor units of its currency. */
export type ListedBooking = Parameters<typeof describePayment>[0] &
  MenuBooking &
  Readonly<{
    artist: PosterSubject;
    promoter_name: string;
    venue_name: string;
    event_date: string;
    event_time: string;
  }>;

type Props<B> = Readonly<{
  caption: string;
  standardSort?: OwnBookingSort;
  viewer: "promoter" | "artist" | "admin";
  bookings: readonly B[];
  exported: ExportedList;
  pageOf(id: string): string;
  action?: (booking: B, primary: boolean) => ReactNode;
  first?: B | undefined;
  note?: (booking: B) => ReactNode;
  menuItems?: (booking: B) => ReactNode;
  /** Totals of all filtered bookings, one per currency. Undefined while unknown. */
  sums: Parameters<typeof describeTotals>[0] | undefined;
}>;

/** The panel overlays the right side of the table. In a narrower window a row opens its page. */
const spaceForPreview = "(min-width: 1088px)";

export function BookingList<B extends ListedBooking>(props: Props<B>) {
  const {
    caption,
    standardSort,
    viewer,
    bookings,
    exported,
    pageOf,
    action,
    first,
    note,
    menuItems,
    sums = [],
  } = props;
  const list = useRef<HTMLDivElement>(null);
  const { previewedId, openPreview, close, hasSpace } = usePreview(list, bookings, pageOf);
  const chosen = bookings.find(({ id }) => id === previewedId);
  const other = ({ artist, promoter_name: promoter }: B) => (viewer === "artist" ? promoter : artist.name);
  const pictureOf = ({ artist }: B) => (viewer === "artist" ? undefined : artist);
  const status = (booking: B) => {
    const line = note?.(booking);
    return (
      <>
        <StatusBadge entity="booking" value={booking.status} />
        {line ? <small>{line}</small> : null}
      </>
    );
  };
  const totals = sumTotals(sums);
  const paidLabel = viewer === "artist" ? "paid in" : "paid";
  const columns: ListColumn<B>[] = [
    {
      title: viewer === "artist" ? "Promoter" : "Artist",
      cell: (booking) => (
        <RowLink
          to={pageOf(booking.id)}
          name={other(booking)}
          more={numberAndVenue(booking)}
          moreTitle={`${booking.number}, ${booking.venue_name}`}
          artist={pictureOf(booking)}
        />
      ),
      sort: viewer === "artist" ? "promoter" : "artist",
      total: totals?.bookings,
    },
    ...(viewer === "admin"
      ? [
          {
            title: "Promoter",
            cell: (booking: B) => booking.promoter_name,
            width: 9,
            sort: "promoter",
            from: 56,
          } as const,
        ]
      : []),
    {
      title: "Event",
      cell: (booking) => <TwoLines first={dayOf(booking)} second={booking.event_time} />,
      width: 9.25,
      sort: "event",
    },
    {
      title: "Venue",
      cell: (booking) => booking.venue_name,
      width: 11,
      sort: "venue",
      from: 70,
    },
    { title: "Status", cell: status, width: 9.25, sort: "status" },
    {
      title: "Price",
      cell: (booking) => <Price booking={booking} />,
      width: 8.75,
      amount: true,
      sort: "amount",
      total: totals?.fees && (
        <TwoLines
          first={totals.fees}
          second={
            totals.note ??
            (totals.paid && (
              <span className={styles.to70}>
                {totals.paid} {paidLabel}
              </span>
            ))
          }
        />
      ),
      from: action ? 56 : undefined,
    },
    {
      title: viewer === "artist" ? "Promoter paid" : "Paid",
      cell: (booking) => <Paid {...describePaid(booking)} />,
      width: 6.75,
      amount: true,
      sort: viewer === "admin" ? undefined : "paid",
      total: totals?.paid,
      from: 70,
    },
    ...(action
      ? [
          {
            title: "Next",
            cell: (booking: B) => action(booking, booking === first),
            width: viewer === "promoter" ? 9.5 : 11.2,
          },
        ]
      : []),
  ];
  return (
    <>
      <DataList<B>
        caption={caption}
        ordered={standardSort === "event" ? "soonest first" : standardSort ? "latest first" : "newest request first"}
        {...(standardSort && { standardSort })}
        label="Bookings"
        element={list}
        rows={bookings}
        columns={columns}
        previewedId={previewedId}
        onPreview={openPreview}
        choice={{ exported, describe: describePrices }}
        totals={sums.length > 0 ? describeTotals(sums, paidLabel) : undefined}
        menu={(booking) => (
          <BookingMenu
            booking={booking}
            viewer={viewer}
            name={`${other(booking)}, ${booking.number}`}
            page={pageOf(booking.id)}
            onPreview={hasSpace ? () => openPreview(booking.id) : undefined}
          >
            {menuItems?.(booking)}
          </BookingMenu>
        )}
        card={(booking) => ({
          title: <CardLink to={pageOf(booking.id)}>{other(booking)}</CardLink>,
          number: booking.number,
          lines: [
            `${dayOf(booking)}, ${booking.event_time}`,
            ...(viewer === "admin" ? [booking.promoter_name] : []),
            booking.venue_name,
          ],
          picture: pictureOf(booking),
          foot: status(booking),
          amount: (
            <>
              {formatPrice(booking)}
              <small>{describePayment(booking)}</small>
            </>
          ),
          action: action?.(booking, booking === first),
        })}
      />
      {chosen ? (
        <Suspense>
          <BookingPreview id={chosen.id} page={pageOf(chosen.id)} action={action?.(chosen, false)} onClose={close} />
        </Suspense>
      ) : null}
    </>
  );
}

function usePreview(
  list: RefObject<HTMLDivElement | null>,
  bookings: readonly Readonly<{ id: string }>[],
  pageOf: (id: string) => string,
) {
  const navigate = useNavigate();
  const hasSpace = useMediaQuery(spaceForPreview);
  const [chosen, setChosen] = useState<string>();
  const previewedId = hasSpace && bookings.some(({ id }) => id === chosen) ? chosen : undefined;
  const close = useCallback(() => {
    setChosen(undefined);
    if (chosen !== undefined) focusRow(list.current, chosen);
  }, [list, chosen]);
  const openPreview = (id: string | undefined) => {
    if (id === undefined) close();
    else if (hasSpace) setChosen(id);
    else void navigate(pageOf(id));
  };
  return { previewedId, openPreview, close, hasSpace };
}

const dayOf = ({ event_date: day }: ListedBooking) => formatWeekdayDate(day);

const numberAndVenue = ({ number, venue_name: venue }: ListedBooking) => (
  <>
    {number}
    <span className={styles.to70}>, {withoutTown(venue)}</span>
  </>
);

/** Returns "Harbor Hotel, Ballroom" of "Harbor Hotel, Ballroom, Austin, Texas", because the whole text does not fit. */
function withoutTown(venue: string): string {
  const parts = venue.split(", ");
  return parts.slice(0, Math.max(1, parts.length - 2)).join(", ");
}

const Price = ({ booking }: Readonly<{ booking: ListedBooking }>) => (
  <>
    {formatPrice(booking)}
    {describePaid(booking).amount ? (
      <small>
        <span className={styles.to70}>{describePayment(booking)}</span>
      </small>
    ) : null}
  </>
);

const Paid = ({ amount, note }: ReturnType<typeof describePaid>) => (
  <>
    {amount ?? <span className="quiet">none</span>}
    {note ? <small>{note}</small> : null}
  </>
);
