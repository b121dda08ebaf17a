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
  action?: (booking: B) => ReactNode;
  /** A line below the status. */
  note?: (booking: B) => ReactNode;
  menuItems?: (booking: B) => ReactNode;
  /** The sums of all that the filters find, one entry per currency; undefined while they are not known. */
  sums: Parameters<typeof describeTotals>[0] | undefined;
}>;

/** The panel lies beside the table where there is space for both; elsewhere a row opens its page. */
const spaceForPeek = "(min-width: 1248px)";

export function BookingList<B extends ListedBooking>({
  caption,
  bookings,
  pageOf,
  columns,
  card,
  action,
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
  const actions = (booking: B) => (
    <span className={pages.rowActs}>
      {action?.(booking)}
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
    { title: "Amount", cell: amount, amount: true, sort: "amount", secondary: true },
    { title: "Action", cell: actions, actions: true },
  ];
  return (
    <div ref={list} className={peeked ? styles.beside : undefined}>
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
            action: action?.(booking),
            menu: menu(booking),
          };
        }}
      />
      {sums && sums.length > 0 ? <p className={`num ${styles.totals}`}>{describeTotals(sums)}</p> : null}
      {peeked ? (
        <Suspense>
          <BookingPeek id={peeked} page={pageOf(peeked)} onClose={close} />
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
  const peek = (id: string | undefined) => {
    if (id === undefined || hasSpace) setChosen(id);
    else void navigate(pageOf(id));
  };
  const close = useCallback(() => {
    setChosen(undefined);
    if (chosen !== undefined) focusRow(list.current, chosen);
  }, [list, chosen]);
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
