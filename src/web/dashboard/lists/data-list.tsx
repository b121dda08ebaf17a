import { X } from "lucide-react";
import { type ReactNode, type RefObject, useId, useRef } from "react";
import { useSearchParams } from "react-router";
import { posterUrl, type PosterSubject } from "#artists/rules.ts";
import type { ExportedList } from "../../lib/api/csv-export.ts";
import { ExportButton, SortChoice } from "./list-filters.tsx";
import { useRowKeys } from "./row-keys.ts";
import { useSelection } from "./selection.ts";
import { SortHead } from "./sort-head.tsx";
import { useTableSpace } from "./use-table-space.ts";
import styles from "./list.module.css";

export type ListColumn<R> = Readonly<{
  title: string;
  cell(row: R): ReactNode;
  /** In rem, or a CSS length. Columns without a width share the rest. */
  width?: number | string;
  amount?: boolean;
  sort?: string | undefined;
  second?: Readonly<{ title: string; sort: string; from?: 56 | 70 }>;
  from?: 56 | 70 | undefined;
  total?: ReactNode;
}>;

type ListCard = Readonly<{
  title: ReactNode;
  number?: string;
  /** Each is one line. Long text is clipped with an ellipsis. */
  lines: readonly ReactNode[];
  picture?: PosterSubject | undefined;
  foot?: ReactNode;
  amount?: ReactNode;
  action?: ReactNode;
}>;

type Props<R> = Readonly<{
  caption: string;
  /** Describes the default order: "newest first". */
  ordered?: string;
  standardSort?: string;
  label: string;
  rows: readonly R[];
  columns: readonly ListColumn<R>[];
  card(row: R): ListCard;
  menu?(row: R): ReactNode;
  totals?: ReactNode;
  previewedId?: string | undefined;
  onPreview?(id: string | undefined): void;
  element?: RefObject<HTMLDivElement | null>;
  /** Enables row selection. A bar describes the selected rows and exports them as a file. */
  choice?: Readonly<{ exported: ExportedList; describe?(rows: readonly R[]): string }>;
}>;

export function DataList<R extends Readonly<{ id: string }>>(props: Props<R>) {
  const {
    caption,
    ordered,
    standardSort,
    label,
    rows,
    columns,
    card,
    menu,
    totals,
    previewedId,
    onPreview,
    element,
    choice,
  } = props;
  const own = useRef<HTMLDivElement>(null);
  const list = element ?? own;
  const hasSpace = useTableSpace();
  const ids = rows.map(({ id }) => id);
  const selection = useSelection(ids);
  const { chosen, toggle } = selection;
  const id = useId();
  const bulk = useRef<HTMLElement>(null);
  const [query] = useSearchParams();
  useRowKeys({ list, ids, previewedId, onPreview, onChoose: choice && toggle });
  const isSorted = query.has("sort");
  return (
    <div ref={list}>
      {ordered && !standardSort && hasSpace !== false ? (
        <p className={styles.ordered} aria-hidden>
          {isSorted ? "Sorted by the marked column" : `${ordered.charAt(0).toUpperCase()}${ordered.slice(1)}`}
        </p>
      ) : null}
      {hasSpace === false ? null : (
        <div
          className={hasSpace ? styles.sheet : `${styles.sheet} ${styles.swap}`}
          tabIndex={0}
          role="region"
          aria-label={label}
        >
          <table className={styles.dense}>
            <caption className="sr">{ordered && !isSorted ? `${caption}, ${ordered}` : caption}</caption>
            <thead>
              <tr>
                {choice ? (
                  <th scope="col" className={styles.check}>
                    <Check
                      label="Select all rows"
                      checked={chosen.length === rows.length}
                      onChange={selection.toggleAll}
                    />
                  </th>
                ) : null}
                {columns.map((column) => (
                  <Head key={column.title} {...column} standardSort={standardSort} />
                ))}
                {menu ? (
                  <th scope="col" className={styles.menuCell}>
                    <span className="sr">Actions</span>
                  </th>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr
                  key={row.id}
                  data-row={row.id}
                  data-marked={row.id === previewedId || undefined}
                  data-chosen={chosen.includes(row.id) || undefined}
                >
                  {choice ? (
                    <td className={styles.check}>
                      <Check
                        label="Select this row"
                        named={`${id}-${row.id}`}
                        checked={chosen.includes(row.id)}
                        onChange={(range) => toggle(row.id, range)}
                      />
                      {row.id === chosen.at(-1) ? (
                        <button type="button" className={styles.toBulk} onClick={() => focusFirst(bulk.current)}>
                          Go to the selection
                        </button>
                      ) : null}
                    </td>
                  ) : null}
                  {columns.map((column, at) => (
                    <Cell
                      key={column.title}
                      id={choice && at === 0 ? `${id}-${row.id}` : undefined}
                      className={classOf(column)}
                    >
                      {column.cell(row)}
                    </Cell>
                  ))}
                  {menu ? <td className={styles.menuCell}>{menu(row)}</td> : null}
                </tr>
              ))}
            </tbody>
            {columns.some(({ total }) => total !== undefined) ? (
              <tfoot>
                <tr>
                  {choice ? <td className={styles.check} /> : null}
                  {columns.map((column) => (
                    <td key={column.title} className={classOf(column)}>
                      {column.total}
                    </td>
                  ))}
                  {menu ? <td className={styles.menuCell} /> : null}
                </tr>
              </tfoot>
            ) : null}
          </table>
        </div>
      )}
      {hasSpace ? null : (
        <>
          {columns.some(({ sort }) => sort) ? (
            <SortChoice className={styles.order} orders={ordersOf(columns, ordered)} />
          ) : null}
          <ul className={styles.cards}>
            {rows.map((row) => (
              <CardItem key={row.id} id={row.id} menu={menu?.(row)} {...card(row)} />
            ))}
          </ul>
        </>
      )}
      {totals ? <p className={`num ${styles.totals}`}>{totals}</p> : null}
      {/* Present before its text, because screen readers may miss a region that arrives with it. */}
      <div aria-live="polite" className={styles.selection}>
        {choice && chosen.length > 0 ? (
          <section ref={bulk} className={styles.bulk} aria-label="Selected rows">
            <strong className="num" role="status">
              {chosen.length} selected
              {choice.describe ? `, ${choice.describe(rows.filter(({ id }) => chosen.includes(id)))}` : ""}
            </strong>
            <ExportButton list={choice.exported} filters={{}} ids={chosen} label="Export selected" />
            <button type="button" aria-label="Clear selection" onClick={selection.clear}>
              <X size={18} strokeWidth={1.8} aria-hidden />
            </button>
          </section>
        ) : null}
      </div>
    </div>
  );
}

const focusFirst = (section: HTMLElement | null) => section?.querySelector("button")?.focus();

type CellProps = Readonly<{ id: string | undefined; className: string | undefined; children: ReactNode }>;

const Cell = ({ id, className, children }: CellProps) => (
  <td id={id} className={className} title={typeof children === "string" ? children : undefined}>
    {children}
  </td>
);

/** The cards have no heads, so a menu offers the heads' orders. */
const ordersOf = <R,>(columns: readonly ListColumn<R>[], ordered = "default order") => [
  { value: "", label: `${ordered.charAt(0).toUpperCase()}${ordered.slice(1)}` },
  ...columns
    .flatMap(({ title, sort, second }) => [{ title, sort }, ...(second ? [second] : [])])
    .flatMap(({ title, sort }) =>
      sort
        ? [
            { value: sort, label: `${title}, ascending` },
            { value: `-${sort}`, label: `${title}, descending` },
          ]
        : [],
    ),
];

/** `named` is the id of the cell that tells the row apart. */
type CheckProps = Readonly<{ label: string; named?: string; checked: boolean; onChange(range: boolean): void }>;

const Check = ({ label, named, checked, onChange }: CheckProps) => (
  <label>
    <span className="sr" id={named && `${named}-label`}>
      {label}
    </span>
    <input
      type="checkbox"
      aria-labelledby={named && `${named}-label ${named}`}
      checked={checked}
      onChange={({ nativeEvent }) => onChange(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  </label>
);

type CellOptions = Readonly<{ amount?: boolean; from?: 56 | 70 | undefined }>;

const classOf = ({ amount, from }: CellOptions): string | undefined =>
  [amount ? styles.amount : "", from ? styles[`from${from}`] : ""].filter(Boolean).join(" ") || undefined;

type HeadProps = CellOptions &
  Pick<ListColumn<never>, "title" | "sort" | "second" | "width"> &
  Readonly<{ standardSort: string | undefined }>;

function Head({ title, sort, second, width, standardSort, ...options }: HeadProps) {
  const shared = {
    className: classOf(options),
    style: width ? { width: typeof width === "number" ? `${width}rem` : width } : undefined,
  };
  if (sort) {
    const below = second ? [{ title: second.title, name: second.sort, className: classOf({ from: second.from }) }] : [];
    return <SortHead orders={[{ title, name: sort }, ...below]} standard={standardSort} {...shared} />;
  }
  return (
    <th scope="col" {...shared}>
      {title}
    </th>
  );
}

type CardProps = ListCard & Readonly<{ id: string; menu: ReactNode }>;

function CardItem({ id, title, number, lines, picture, foot, amount, action, menu }: CardProps) {
  const line = (content: ReactNode, at: number) => (
    <p key={at} className={number ? `num ${styles.clip}` : undefined}>
      {content}
    </p>
  );
  const last = foot ? lines.length : lines.length - 1;
  return (
    <li data-row={id} className={picture ? undefined : styles.bare}>
      {picture ? <img src={posterUrl(picture, "mark")} width={200} height={200} alt="" loading="lazy" /> : null}
      <div className={styles.about}>
        <h2>{title}</h2>
        {lines.slice(0, last).map(line)}
        {foot ? null : (
          <div className={styles.cardEnd}>
            {lines.slice(last).map((content, at) => line(content, last + at))}
            {amount ? <span className={styles.amount}>{amount}</span> : null}
          </div>
        )}
      </div>
      {menu}
      {foot ? (
        <div className={styles.end}>
          <div>
            {foot}
            {number ? <small className="num">{number}</small> : null}
          </div>
          {amount ? <span className={styles.amount}>{amount}</span> : null}
        </div>
      ) : null}
      {action ? <div className={styles.cardAction}>{action}</div> : null}
    </li>
  );
}
