import { lazy, type MouseEvent, useEffect, useRef } from "react";
import { Link, useNavigation, useRevalidator } from "react-router";
import { maxCountedNearby, priceFrom } from "#artists/rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { formatDay } from "#platform/time/days.rules.ts";
import { AfterLoad } from "../../lib/browser/after-load.tsx";
import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { localToday } from "../../lib/format/dates.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { EmptyState, ErrorState } from "../../ui/states/states.tsx";
import { ArtistCard, CardRow, Poster } from "../artist-card.tsx";
import { addressOf, type BrowseQuery, filtersOf, hasFilters, pageLength, searchedDateOf } from "./browse-query.ts";
import { Filters } from "./filters.tsx";
import type { BrowseList } from "./landing-page.tsx";
import { resultHeading, resultNote } from "./night-answer.ts";
import { type ListPage, useLoadMore } from "./use-load-more.ts";
import styles from "./landing.module.css";

const CompareTray = lazy(async () => ({ default: (await import("./compare-tray.tsx")).CompareTray }));

type Counted = Readonly<{ total: number; capped: boolean }>;
type Shown = ListPage &
  Counted &
  Readonly<{ listed?: Counted | undefined; nearby?: readonly NightCount[] | undefined }>;

/** The list of artists with its filters. With a night its heading is the result. The address stores every filter, and without scripts a button submits them. */
export function Browse({ query, list }: { query: BrowseQuery; list: BrowseList }) {
  const revalidator = useRevalidator();
  const answered = useRef(false);
  const title = useRef<HTMLHeadingElement>(null);
  // After a click on the search button the result's heading takes the focus.
  useEffect(() => {
    if (!answered.current) return;
    answered.current = false;
    // The results of a night begin at the top of the page, below the small hero.
    if (query.night) document.documentElement.scrollTop = 0;
    title.current?.focus();
  }, [query]);
  const found = list.failure ? undefined : list;
  // The server does not know the visitor's date.
  const today = useHydrated() ? localToday() : undefined;
  return (
    <section className={`${styles.band} wrap`} id="browse" aria-labelledby="browse-title" data-night={query.night}>
      <div className={styles.head}>
        <h2 id="browse-title" ref={title} tabIndex={-1}>
          {query.night && found ? resultHeading(query, found, today) : "Browse Artists"}
        </h2>
        <p className="quiet">
          <span role="status">{found ? resultNote(query, found, today) : null}</span>{" "}
          {query.night ? (
            <Link to={paths.browse({ ...addressOf(query), night: undefined })}>Clear the date</Link>
          ) : query.town || query.kind ? (
            query.town ? (
              `Add a date to see who is free in ${query.town.split(",")[0]}.`
            ) : (
              "Add a date to see who is free."
            )
          ) : null}
        </p>
      </div>
      <Filters query={query} counts={found?.genres} onSend={(isPressed) => (answered.current = isPressed)} />
      {list.failure ? (
        <ErrorState
          title="The artists could not be loaded"
          text={list.failure.message}
          reference={list.failure.reference}
          onRetry={() => void revalidator.revalidate()}
        >
          {list.failure.status === 400 ? <FirstArtists query={query} /> : undefined}
        </ErrorState>
      ) : (
        <>
          {/* A new query starts a new list, because added pages belong to the old one. */}
          <Found key={JSON.stringify(query)} query={query} list={list} />
          {list.farther ? (
            <FartherAway key={`farther ${JSON.stringify(query)}`} query={query} list={list.farther} count={list.away} />
          ) : null}
        </>
      )}
    </section>
  );
}

type NightCount = Readonly<{ night: string; total: number }>;

/** Cells after the few acts of a night: the nearest nights with more. */
function NightsNearby({ query, nights }: { query: BrowseQuery; nights: readonly NightCount[] | undefined }) {
  if (query.genre || !nights) return null;
  return nights.map(({ night, total }) => (
    <li key={night} className="night-nearby">
      <Link to={paths.browse({ ...addressOf(query), night })}>
        {formatDay(night)}{" "}
        <small>{total < maxCountedNearby ? total : `${maxCountedNearby} or more`} acts are free</small>
      </Link>
    </li>
  ));
}

function Found({ query, list }: { query: BrowseQuery; list: Shown }) {
  const more = useLoadMore({ ...filtersOf(query), sort: query.sort }, list);
  const searching = useSearching();
  const searched = searchedDateOf(query);
  const { total, capped } = list.listed ?? list;
  const nearby = <NightsNearby query={query} nights={list.nearby} />;
  if (more.items.length === 0)
    return (
      <>
        <NothingFound query={query} />
        <CardRow>{nearby}</CardRow>
      </>
    );
  const next = more.cursor ? paths.browse({ ...addressOf(query), cursor: more.cursor }) : undefined;
  const addNext = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void more.add();
  };
  return (
    <>
      <CardRow busy={searching}>
        {more.items.map((artist) => (
          <ArtistCard key={artist.id} artist={artist} searched={searched} />
        ))}
        {nearby}
      </CardRow>
      <AfterLoad>
        <CompareTray query={query} listed={more.items} />
      </AfterLoad>
      <div className={styles.more}>
        <ErrorNote message={more.failed} />
        {next ? (
          <LinkButton tone="line" to={next} onClick={addNext} aria-busy={more.busy || undefined}>
            {more.busy ? "Loading..." : more.failed ? "Retry" : `Show ${pageLength} more`}
          </LinkButton>
        ) : null}
        <span className="small quiet" aria-live="polite">
          {query.cursor ? (
            <FirstArtists query={query} />
          ) : next ? (
            `${more.items.length} of ${capped ? "more than " : ""}${total.toLocaleString("en-US")}`
          ) : null}
        </span>
      </div>
    </>
  );
}

const FirstArtists = ({ query }: { query: BrowseQuery }) => (
  <Link to={paths.browse(addressOf(query))}>Back to the first artists</Link>
);

/** Returns true while a new query of the list is loading, but not during other navigation. */
function useSearching(): boolean {
  const { state, location } = useNavigation();
  return state === "loading" && location.pathname === paths.home;
}

function NothingFound({ query }: { query: BrowseQuery }) {
  if (!hasFilters(query) && !query.cursor)
    return <EmptyState title="No artists yet" text="Artists appear here as soon as they have a profile." />;
  return (
    <EmptyState
      title="No artists found matching your search."
      text={
        query.night
          ? "Try another date, another price, or all genres."
          : "Try another word, another date, or all genres."
      }
    >
      <LinkButton tone="line" to={paths.browse()}>
        Show all artists
      </LinkButton>
    </EmptyState>
  );
}

/** Free artists that usually do not travel to the town. They are listed separately and can be requested. */
function FartherAway({ query, list, count = 0 }: { query: BrowseQuery; list: ListPage; count?: number | undefined }) {
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
              <p className="quiet small cap">
                {priceFrom(artist)}, {artist.genre}
              </p>
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
        <ErrorNote message={more.failed} />
        {more.cursor ? (
          <Button tone="line" busy={more.busy} busyLabel="Loading..." onClick={() => void more.add()}>
            {more.failed ? "Retry" : `Show more of ${count > 1_000 ? "1,000" : count}`}
          </Button>
        ) : null}
      </div>
    </section>
  );
}
