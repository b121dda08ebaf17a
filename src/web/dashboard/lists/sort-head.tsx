import { Link, useSearchParams } from "react-router";
import { useListAddress } from "./address.ts";
import styles from "./pages.module.css";

type Props = Readonly<{ title: string; name: string; className: string | undefined }>;

/** Orders ascending first (`name`), then descending (`-name`), then not at all. */
export function SortHead({ title, name, className }: Props) {
  const [query] = useSearchParams();
  const address = useListAddress();
  const now = query.get("sort");
  const up = now === name;
  const down = now === `-${name}`;
  const next = up ? `-${name}` : down ? "" : name;
  return (
    <th scope="col" className={className} aria-sort={up ? "ascending" : down ? "descending" : "none"}>
      <Link className={styles.sort} to={address({ sort: next })} replace preventScrollReset>
        {title}
        <span aria-hidden>{up ? " ↑" : down ? " ↓" : " ↕"}</span>
      </Link>
    </th>
  );
}
