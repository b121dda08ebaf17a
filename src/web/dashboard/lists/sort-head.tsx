import type { CSSProperties } from "react";
import { Link, useSearchParams } from "react-router";
import { useListAddress } from "./address.ts";
import styles from "./list.module.css";

type Order = Readonly<{ title: string; name: string; className?: string | undefined }>;
type Props = Readonly<{
  orders: readonly Order[];
  standard: string | undefined;
  className: string | undefined;
  style?: CSSProperties | undefined;
}>;

/** Orders ascending (`name`), then descending (`-name`), then by default. An inactive head shows its arrow on hover and focus. */
export function SortHead({ orders, standard, className, style }: Props) {
  const [query] = useSearchParams();
  const address = useListAddress();
  const now = query.get("sort") ?? standard;
  const nextOf = (name: string) => {
    const next = now === name ? `-${name}` : now === `-${name}` && now !== standard ? "" : name;
    return next === standard ? "" : next;
  };
  const up = orders.some(({ name }) => now === name);
  const down = orders.some(({ name }) => now === `-${name}`);
  return (
    <th scope="col" className={className} style={style} aria-sort={up ? "ascending" : down ? "descending" : "none"}>
      {orders.map(({ title, name, className = "" }) => (
        <Link
          key={name}
          className={`${styles.sort} ${className}`}
          to={address({ sort: nextOf(name) })}
          aria-current={now === name || now === `-${name}` || undefined}
          replace
          preventScrollReset
        >
          {title}
          <span aria-hidden>{now === name ? "↑" : now === `-${name}` ? "↓" : "↕"}</span>
        </Link>
      ))}
    </th>
  );
}
