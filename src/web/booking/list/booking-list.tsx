import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { PosterSubject } from "#artists/rules.ts";
import type { FormatAmount } from "../../lib/format/amounts.ts";
import { useMediaQuery } from "../../lib/use-media-query.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { CardLink, NumberLink } from "./booking-cells.tsx";
import { columnFormat, describePayment, describeTotals, formatPrice } from "./booking-format.ts";
import { DataList, type ListColumn } from "../../dashboard/lists/data-list.tsx";
import { type MenuBooking, RowMenu } from "./row-menu.tsx";
import { focusRow, useRowKeys } from "./use-row-keys.ts";
import styles from "../../dashboard/lists/list.module.css";
import pages from "../../dashboard/lists/pages.module.css";

const BookingPeek = lazy(() => import("./booking-peek.tsx"));

/** What every list shows of a booking. Amounts are minor units of its currency. */
export type ListedBooking = Parameters<typeof describePayment>[0] & MenuBooking;

export type Column<B> = ListColumn<B>;

export type Card = Readonly<{ title: ReactNode; lines: readonly ReactNode[]; artist?: PosterSubject }>;

type Props<B> = Readonly<{
  caption: string;
  bookings: readonly B[];
  pageOf(id: string): string;
  columns: readonly Column<B>[];
  card(booking: B): Card;
  /** The next step; `primary`: as the one filled button of the view. */
  action?: (booking: B, primary: boolean) => ReactNode;
  /** The booking whose next step is the filled button. */
  first?: B | undefined;
  /** A line below the status. */
  note?: (booking: B) => ReactNode;
  menuItems?: (booking: B) => ReactNode;
  /** The sums of all that the filters find, one entry per currency; undefined while they are not known. */
  sums: Parameters<typeof describeTotals>[0] | undefined;
}>;

/** The panel lies over the right side of the table. On narrower windows a row opens its page. */
const spaceForPeek = "(min-width: 1088px)";

export function BookingList<B extends ListedBooking>({
  caption,
  bookings,
  pageOf,
  columns,
  card,
  action,
  first,
  note,
  menuItems,
  sums,
}: Props<B>) {
  const list = useRef<HTMLDivElement>(null);
  const { peeked, peek, close, hasSpace } = usePeek(list, bookings, pageOf);
  const format = columnFormat(bookings);
  const status = (booking: B) => {
    const line = note?.(booking);
    return (
      <>
        <StatusBadge entity="booking" value={booking.status} />
        {line ? <small>{line}</small> : null}
      </>
    );
  };
  const amount = (booking: B) => <Amount booking={booking} format={format} />;
  const menu = (booking: B) => (
    <RowMenu booking={booking} page={pageOf(booking.id)} onPeek={hasSpace ? () => peek(booking.id) : undefined}>
      {menuItems?.(booking)}
    </RowMenu>
  );
  const step = (booking: B) => action?.(booking, booking === first);
  const chosen = bookings.find(({ id }) => id === peeked);
  const actions = (booking: B) => (
    <span className={pages.rowActs}>
      {step(booking)}
      {menu(booking)}
    </span>
  );
  const all: ListColumn<B>[] = [
    {
      title: "Booking",
      cell: (booking) => <NumberLink number={booking.number} to={pageOf(booking.id)} />,
      oneLine: true,
    },
    ...columns,
    { title: "Status", cell: status },
    { title: "Amount", cell: amount, amount: true, sort: "amount" },
    { title: "Action", cell: actions, actions: true },
  ];
  return (
    <div ref={list}>
      <DataList
        caption={caption}
        label="Bookings"
        rows={bookings}
        columns={all}
        marked={peeked}
        card={(booking) => {
          const { title, lines, artist } = card(booking);
          return {
            title: <CardLink to={pageOf(booking.id)}>{title}</CardLink>,
            lines: [booking.number, ...lines],
            picture: artist,
            foot: status(booking),
            amount: amount(booking),
            action: step(booking),
            menu: menu(booking),
          };
        }}
      />
      {sums && sums.length > 0 ? <p className={`num ${styles.totals}`}>{describeTotals(sums)}</p> : null}
      {chosen ? (
        <Suspense>
          <BookingPeek id={chosen.id} page={pageOf(chosen.id)} action={action?.(chosen, false)} onClose={close} />
        </Suspense>
      ) : null}
    </div>
  );
}

function usePeek(
  list: RefObject<HTMLDivElement | null>,
  bookings: readonly Readonly<{ id: string }>[],
  pageOf: (id: string) => string,
) {
  const navigate = useNavigate();
  const hasSpace = useMediaQuery(spaceForPeek);
  const [chosen, setChosen] = useState<string>();
  const peeked = hasSpace && bookings.some(({ id }) => id === chosen) ? chosen : undefined;
  const close = useCallback(() => {
    setChosen(undefined);
    if (chosen !== undefined) focusRow(list.current, chosen);
  }, [list, chosen]);
  const peek = (id: string | undefined) => {
    if (id === undefined) close();
    else if (hasSpace) setChosen(id);
    else void navigate(pageOf(id));
  };
  useRowKeys({ list, ids: bookings.map(({ id }) => id), peeked, onPeek: peek });
  return { peeked, peek, close, hasSpace };
}

type AmountProps = Readonly<{ booking: ListedBooking; format: FormatAmount }>;

const Amount = ({ booking, format }: AmountProps) => (
  <>
    {formatPrice(booking, format)}
    <small>{describePayment(booking, format)}</small>
  </>
);
