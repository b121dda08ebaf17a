import type { ReactNode } from "react";
import { posterUrl, type PosterSubject } from "#artists/rules.ts";
import { SortHead } from "./sort-head.tsx";
import styles from "./list.module.css";

export type ListColumn<R> = Readonly<{
  title: string;
  cell(row: R): ReactNode;
  oneLine?: boolean;
  amount?: boolean;
  actions?: boolean;
  sort?: string;
}>;

export type ListCard = Readonly<{
  title: ReactNode;
  lines: readonly ReactNode[];
  picture?: PosterSubject | undefined;
  foot?: ReactNode;
  amount?: ReactNode;
  action?: ReactNode;
  menu?: ReactNode;
}>;

type Props<R> = Readonly<{
  caption: string;
  label: string;
  rows: readonly R[];
  columns: readonly ListColumn<R>[];
  card(row: R): ListCard;
  marked?: string | undefined;
}>;

export function DataList<R extends Readonly<{ id: string }>>({
  caption,
  label,
  rows,
  columns,
  card,
  marked,
}: Props<R>) {
  return (
    <>
      <div className={`${styles.sheet} ${styles.swap}`} tabIndex={0} role="region" aria-label={label}>
        <table>
          <caption className="sr">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <Head key={column.title} {...column} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id} data-row={row.id} data-marked={row.id === marked || undefined}>
                {columns.map((column) => (
                  <td key={column.title} className={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className={styles.cards}>
        {rows.map((row) => (
          <CardItem key={row.id} id={row.id} {...card(row)} />
        ))}
      </ul>
    </>
  );
}

type Look = Readonly<{ oneLine?: boolean; amount?: boolean; actions?: boolean }>;

function classOf({ oneLine, amount, actions }: Look): string | undefined {
  return amount ? styles.amount : actions ? styles.actionCell : oneLine ? styles.oneLine : undefined;
}

function Head({ title, sort, amount, actions }: Look & Readonly<{ title: string; sort?: string }>) {
  const look = amount ? styles.amount : undefined;
  if (sort) return <SortHead title={title} name={sort} className={look} />;
  return (
    <th scope="col" className={look}>
      {actions ? <span className="sr">{title}</span> : title}
    </th>
  );
}

function CardItem({ id, title, lines, picture, foot, amount, action, menu }: ListCard & Readonly<{ id: string }>) {
  return (
    <li data-row={id} className={picture ? undefined : styles.bare}>
      {picture ? (
        <img className={styles.poster} src={posterUrl(picture)} width={600} height={800} alt="" loading="lazy" />
      ) : null}
      <div>
        <h2>{title}</h2>
        {lines.map((line, at) => (
          <p key={at}>{line}</p>
        ))}
      </div>
      {foot || amount ? (
        <div className={styles.end}>
          {foot}
          {amount ? <span className={styles.amount}>{amount}</span> : null}
        </div>
      ) : null}
      {action ? <div className={styles.cardAction}>{action}</div> : null}
      {menu ? <div className={styles.cardMenu}>{menu}</div> : null}
    </li>
  );
}
