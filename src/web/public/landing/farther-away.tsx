import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { Button } from "../../ui/button.tsx";
import { Poster } from "../artist-card.tsx";
import { type BrowseQuery, filtersOf, searchedDateOf } from "./browse-query.ts";
import styles from "./landing.module.css";
import { type ListPage, useLoadMore } from "./use-load-more.ts";

/** Free artists that usually do not travel to the town. They are listed separately and can be requested. */
export function FartherAway({
  query,
  list,
  count = 0,
}: {
  query: BrowseQuery;
  list: ListPage;
  count?: number | undefined;
}) {
  const more = useLoadMore({ ...filtersOf(query), available: undefined, farther: true, sort: "nearest" }, list);
  if (more.items.length === 0) return null;
  const { date, town } = searchedDateOf(query);
  return (
    <section className="night-far" aria-labelledby="farther">
      <h2 id="farther">Free, but farther away</h2>
      <p className="quiet">
        They usually do not travel this far. You can still request them. We show both of you the distance.
      </p>
      <ul>
        {more.items.map((artist) => (
          <li key={artist.id}>
            <Poster artist={artist} />
            <div>
              <h3>
                <Link to={paths.artist(artist.slug, date, town)}>{artist.name}</Link>
              </h3>
              <p className="quiet small cap">{artist.genre}</p>
              <p className="note">{artist.night?.message}</p>
              <Link
                className="small"
                to={paths.book(artist.slug, date, town)}
                aria-label={`Request anyway: ${artist.name}`}
              >
                Request anyway
              </Link>
            </div>
          </li>
        ))}
      </ul>
      <div className={styles.more}>
        {more.failed ? (
          <p role="alert" className="note cherry">
            {more.failed}
          </p>
        ) : null}
        {more.cursor ? (
          <Button tone="line" busy={more.busy} busyLabel="Loading..." onClick={() => void more.add()}>
            {more.failed ? "Retry" : `Show more of ${count > 1_000 ? "1,000" : count}`}
          </Button>
        ) : null}
      </div>
    </section>
  );
}
