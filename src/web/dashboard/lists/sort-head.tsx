import type { CSSProperties } from "react";
import { Link, useSearchParams } from "react-router";
import { useListAddress } from "./address.ts";
import styles from "./list.module.css";

type Props = Readonly<{
  title: string;
  name: string;
  className: string | undefined;
  style?: CSSProperties | undefined;
}>;

/** Orders ascending first (`name`), then descending (`-name`), then not at all. The arrow of a head that orders nothing shows on hover and focus. */
export function SortHead({ title, name, className, style }: Props) {
  const [query] = useSearchParams();
  const address = useListAddress();
  const now = query.get("sort");
  const up = now === name;
  const down = now === `-${name}`;
  const next = up ? `-${name}` : down ? "" : name;
  return (
    <th scope="col" className={className} style={style} aria-sort={up ? "ascending" : down ? "descending" : "none"}>
      <Link className={styles.sort} to={address({ sort: next })} replace preventScrollReset>
        {title}
        <span aria-hidden>{up ? "↑" : down ? "↓" : "↕"}</span>
      </Link>
    </th>
  );
}
