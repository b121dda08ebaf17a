import { defaultCurrency } from "#payments/rules.ts";
import { type MouseEvent, useEffect, useRef } from "react";
import { Link, useNavigate, useNavigation, useRevalidator } from "react-router";
import { genres } from "#artists/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { useSite } from "../../lib/site.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { readTypedDay, writtenDay } from "#platform/time/typed-day.rules.ts";
import { localToday } from "../../lib/format/dates.ts";
import { buttonClass } from "../../ui/button.tsx";
import { DateField } from "../../ui/date-field/date-field.tsx";
import { comingDays } from "../../ui/date-field/day-limits.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { ArtistCard, CardRow } from "../artist-card.tsx";
import {
  addressOf,
  type BrowseQuery,
  isNarrowed,
  pageLength,
  priceBands,
  searchForm,
  sortLabels,
  sortsOf,
} from "./browse-query.ts";
import type { BrowseList } from "./landing-page.tsx";
import styles from "./landing.module.css";
import { type ListPage, useLoadMore } from "./use-load-more.ts";

type Shown = ListPage & Readonly<Count>;

/** The list of artists with its filters. `title`: its heading, which is the night that was asked for. Every filter is in the address; without script a button sends them. */
export function Browse({ title, query, list }: { title: string; query: BrowseQuery; list: BrowseList }) {
  const revalidator = useRevalidator();
  return (
    <section className={`${styles.band} wrap`} id="browse" aria-labelledby="browse-title">
      <div className={styles.head}>
        <h2 id="browse-title">{title}</h2>
        <p className="quiet">
          <span role="status">{list.failure ? null : formatCount(list, query)}</span>{" "}
          {query.night ? (
            <Link to={paths.browse({ ...addressOf(query), night: undefined, only: undefined })}>Clear the date</Link>
          ) : query.town || query.kind ? (
            query.town ? (
              `Add a date to see who is free in ${query.town.split(",")[0]}.`
            ) : (
              "Add a date to see who is free."
            )
          ) : null}
        </p>
      </div>
      <Filters query={query} />
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
        // A new question starts a new list; the pages that were added belong to the old one.
        <Found key={JSON.stringify(query)} query={query} list={list} />
      )}
    </section>
  );
}

type Count = { total: number; capped: boolean; away?: number | undefined };
const formatCount = ({ total, capped, free }: Count & { free: Count | undefined }, { town }: BrowseQuery) => {
  if (free?.away !== undefined) {
    const comes = `${acts(free.total)} free and ${free.total === 1 ? "comes" : "come"} to ${town.split(",")[0]}`;
    return free.away > 0
      ? `${comes}. ${free.away > 1_000 ? "more than 1,000" : `${free.away} more`} ${free.away === 1 ? "lives" : "live"} farther away`
      : comes;
  }
  if (free)
    return `${free.total.toLocaleString("en-US")} of ${total.toLocaleString("en-US")}${capped ? " and more" : ""} are free`;
  if (capped) return `More than ${total.toLocaleString("en-US")} artists`;
  return total === 1 ? "1 artist" : `${total.toLocaleString("en-US")} artists`;
};

const acts = (count: number) =>
  count === 1 ? "1 act is" : `${count === 0 ? "No" : count.toLocaleString("en-US")} acts are`;

/** How long typing rests before the list follows. */
const restMs = 300;

function Filters({ query }: { query: BrowseQuery }) {
  const navigate = useNavigate();
  const currency = useSite()?.currency ?? defaultCurrency;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const form = useRef<HTMLFormElement>(null);
  const follow = (rest: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () =>
        form.current && void navigate(addressOfForm(form.current, query), { replace: true, preventScrollReset: true }),
      rest,
    );
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!form.current) return;
    showQuery(form.current, query);
    showChosenGenre(form.current);
  }, [query]);
  return (
    <form
      ref={form}
      role="search"
      action={paths.browse()}
      onChange={({ target }) => {
        // A date follows by itself, when it can be read.
        if (target instanceof HTMLInputElement && target.dataset["day"] !== undefined) return;
        follow(target instanceof HTMLInputElement && target.type === "search" ? restMs : 0);
      }}
      id={searchForm}
      onSubmit={(event) => {
        event.preventDefault();
        // The fields of the hero send this form while they are filled in; only its button leads to the list.
        const isPressed = event.nativeEvent instanceof SubmitEvent && event.nativeEvent.submitter !== null;
        follow(isPressed ? 0 : restMs);
        if (isPressed) document.getElementById("browse")?.scrollIntoView();
      }}
    >
      <div className={styles.tools}>
        <TextField
          label="Search"
          name="search"
          type="search"
          placeholder="Artist name or genre"
          defaultValue={query.search}
          maxLength={200}
          autoComplete="off"
        />
        {query.night ? (
          <SelectField label="Show" name="only" defaultValue={query.only ?? ""}>
            <option value="">All acts</option>
            <option value="1">Only free acts</option>
          </SelectField>
        ) : (
          <DateField
            label="Free on"
            name="free"
            defaultValue={query.free}
            limitsOf={comingDays}
            onPick={() => follow(0)}
          />
        )}
        <SelectField label="Price" name="price" defaultValue={query.price ?? ""}>
          <option value="">Any price</option>
          {priceBands.map((band) => (
            <option key={band.value} value={band.value}>
              {formatPriceBand(band, currency)}
            </option>
          ))}
        </SelectField>
        <SelectField label="Sort" name="sort" defaultValue={query.sort}>
          {sortsOf(query).map((sort) => (
            <option key={sort} value={sort}>
              {sortLabels[sort]}
            </option>
          ))}
        </SelectField>
        <noscript>
          <button className={buttonClass()} type="submit">
            Search
          </button>
        </noscript>
      </div>
      <fieldset className={styles.genres} aria-label="Genre">
        {(["", ...genres] as const).map((genre) => (
          <label key={genre}>
            <input
              className="sr"
              type="radio"
              name="genre"
              value={genre}
              defaultChecked={(query.genre ?? "") === genre}
            />
            <span>{genre || "all genres"}</span>
          </label>
        ))}
      </fieldset>
    </form>
  );
}

/** Brings the form to an address that was reached otherwise: by a link, or by going back. What is being typed stays. */
function showQuery(form: HTMLFormElement, query: BrowseQuery): void {
  const wanted: Record<string, string> = {
    search: query.search,
    free: query.free ? writtenDay(query.free) : "",
    price: query.price ?? "",
    sort: query.sort,
    night: query.night ? writtenDay(query.night) : "",
    town: query.town,
    kind: query.kind ?? "",
    only: query.only ?? "",
  };
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && control.type === "radio")
      control.checked = control.value === (query.genre ?? "");
    else if (
      (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) &&
      control !== document.activeElement
    ) {
      control.value = wanted[control.name] ?? control.value;
    }
  }
}

/** On a phone the genres scroll sideways: the chosen one is brought into sight, without moving the page. */
function showChosenGenre(form: HTMLFormElement): void {
  const label = form.querySelector('input[name="genre"]:checked')?.parentElement;
  const row = label?.parentElement;
  if (label && row) row.scrollLeft = label.offsetLeft - (row.clientWidth - label.offsetWidth) / 2;
}

/** The address of what is filled in. The usual order is left out, so that a town that is added changes it. */
function addressOfForm(form: HTMLFormElement, query: BrowseQuery): string {
  const values = Object.fromEntries(Array.from(new FormData(form), ([name, value]) => [name, String(value)]));
  for (const name of ["free", "night"]) values[name] = readTypedDay(values[name] ?? "", localToday()) ?? "";
  const isUsual = values["sort"] === query.sort && query.sort === sortsOf(query)[0];
  return paths.browse({ ...values, sort: isUsual ? undefined : values["sort"] });
}

function formatPriceBand(band: { min?: number; max?: number }, currency: string): string {
  const whole = (cents: number) => formatMoney(Math.round(cents / 100) * 100, currency);
  if (band.min === undefined) return `Under ${whole(band.max ?? 0)}`;
  return band.max === undefined ? `Over ${whole(band.min)}` : `${whole(band.min)} to ${whole(band.max)}`;
}

/** The artists that were found, and the way to the next 24: a link that script turns into an addition to the list. */
function Found({ query, list }: { query: BrowseQuery; list: Shown }) {
  const more = useLoadMore(query, list);
  const searching = useSearching();

  if (more.items.length === 0) return <NothingFound query={query} />;
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
          <ArtistCard key={artist.id} artist={artist} />
        ))}
      </CardRow>
      <div className={styles.more}>
        {more.failed ? (
          <p role="alert" className="note cherry">
            {more.failed}
          </p>
        ) : null}
        {next ? (
          <Link
            className={buttonClass({ tone: "line" })}
            to={next}
            onClick={addNext}
            aria-busy={more.busy || undefined}
          >
            {more.busy ? "Loading..." : more.failed ? "Retry" : `Show ${pageLength} more`}
          </Link>
        ) : null}
        <span className="small quiet" aria-live="polite">
          {query.cursor ? (
            <FirstArtists query={query} />
          ) : (
            `${more.items.length} of ${list.capped ? "more than " : ""}${list.total.toLocaleString("en-US")}`
          )}
        </span>
      </div>
    </>
  );
}

const FirstArtists = ({ query }: { query: BrowseQuery }) => (
  <Link to={paths.browse(addressOf(query))}>Back to the first artists</Link>
);

/** True while a new question about the list waits for its answer; the way to another page does not count. */
function useSearching(): boolean {
  const { state, location } = useNavigation();
  return state === "loading" && location.pathname === paths.home;
}

function NothingFound({ query }: { query: BrowseQuery }) {
  if (!isNarrowed(query) && !query.cursor)
    return <EmptyState title="No artists yet" text="Artists appear here as soon as they have a profile." />;
  return (
    <EmptyState title="No artists found matching your search." text="Try another word, another date, or all genres.">
      <Link className={buttonClass({ tone: "line" })} to={paths.browse()}>
        Show all artists
      </Link>
    </EmptyState>
  );
}
