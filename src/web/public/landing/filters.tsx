import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { genres } from "#artists/rules.ts";
import { defaultCurrency } from "#payments/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { useSite } from "../../lib/site.ts";
import { Button } from "../../ui/button.tsx";
import { DateField, findUnreadableDay, showDay } from "../../ui/date-field/date-field.tsx";
import { SelectField, TextField } from "../../ui/fields/field.tsx";
import { type BrowseQuery, priceBands, searchForm, sortLabels, sortsOf } from "./browse-query.ts";
import styles from "./landing.module.css";

const searchDelayMs = 300;

type Props = Readonly<{
  query: BrowseQuery;
  counts: readonly GenreCount[] | undefined;
  /** Called on each change and submit. `isPressed`: by the button, so the result takes the focus. */
  onSend(isPressed: boolean): void;
}>;
export type GenreCount = Readonly<{ genre: string; count: number }>;

/** Sort order, price and genre, and without a night the search by name. With a night they are sticky. */
export function Filters({ query, counts, onSend }: Props) {
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
  // Beside the results of a night, the values are self-explanatory. The labels are for screen readers.
  const labelOf = (text: string) => (query.night ? <span className="sr">{text}</span> : text);
  const followed = useRef(query);
  useEffect(() => {
    if (!form.current) return;
    const isChanged = followed.current !== query;
    if (isChanged) showQuery(form.current, query);
    // Applies choices made before hydration.
    else if (isFilledIn(form.current)) form.current.requestSubmit();
    followed.current = query;
    // All genres are chosen at the row's start, so the first display without a genre needs no layout.
    if (isChanged || query.genre) showChosenGenre(form.current);
  }, [query]);
  return (
    <form
      ref={form}
      role="search"
      className={query.night ? "night-filters" : undefined}
      action={paths.browse()}
      onChange={({ target }) => {
        // The date field submits itself when its date is readable.
        if (target instanceof HTMLInputElement && target.dataset["day"] !== undefined) return;
        onSend(false);
        follow(target instanceof HTMLInputElement && target.type === "search" ? searchDelayMs : 0);
      }}
      id={searchForm}
      onSubmit={(event) => {
        event.preventDefault();
        // The hero's fields submit this form on change. Only its button scrolls to the list.
        const isPressed = event.nativeEvent instanceof SubmitEvent && event.nativeEvent.submitter !== null;
        void findUnreadableDay(event.currentTarget).then((unreadable) => {
          if (unreadable) return isPressed ? unreadable.focus() : undefined;
          onSend(isPressed);
          follow(isPressed ? 0 : searchDelayMs);
        });
      }}
    >
      <div className={styles.tools}>
        {query.night && !query.search ? null : (
          <TextField
            label={labelOf("Search")}
            name="search"
            type="search"
            placeholder="Artist name or genre"
            defaultValue={query.search}
            maxLength={200}
            autoComplete="off"
          />
        )}
        {query.night ? null : (
          <DateField
            label="Free on"
            name="free"
            defaultValue={query.free}
            clearLabel="Any day"
            onPick={() => follow(0)}
          />
        )}
        <SelectField label={labelOf("Price")} name="price" defaultValue={query.price ?? ""}>
          <option value="">Any price</option>
          {priceBands.map((band) => (
            <option key={band.value} value={band.value}>
              {formatPriceBand(band, currency)}
            </option>
          ))}
        </SelectField>
        <SelectField label={labelOf("Sort")} name="sort" defaultValue={query.sort}>
          {sortsOf(query).map((sort) => (
            <option key={sort} value={sort}>
              {sortLabels[sort]}
            </option>
          ))}
        </SelectField>
        <noscript>
          <Button type="submit">Search</Button>
        </noscript>
      </div>
      <fieldset className={styles.genres} aria-label="Genre">
        {genreChoices(query, counts).map(({ genre, count }) => (
          <label key={genre}>
            <input
              className="sr"
              type="radio"
              name="genre"
              value={genre}
              defaultChecked={(query.genre ?? "") === genre}
            />
            <span>
              {genre || "all genres"}
              {count === undefined ? null : <b className="num">{count}</b>}
            </span>
          </label>
        ))}
      </fieldset>
    </form>
  );
}

/** Returns all genres. With a night only those with artists, and the chosen one. */
function genreChoices({ genre: chosen }: BrowseQuery, counts: Props["counts"]): { genre: string; count?: number }[] {
  if (!counts) return ["", ...genres].map((genre) => ({ genre }));
  const present = counts.filter(({ count }) => count > 0);
  const total = present.reduce((sum, { count }) => sum + count, 0);
  const missing = chosen && present.every(({ genre }) => genre !== chosen) ? [{ genre: chosen, count: 0 }] : [];
  return [{ genre: "", count: total }, ...present, ...missing];
}

/** Updates the form for an address reached by a link or by going back. Keeps the focused input. */
function showQuery(form: HTMLFormElement, query: BrowseQuery): void {
  const wanted: Record<string, string> = {
    search: query.search,
    price: query.price ?? "",
    sort: query.sort,
    town: query.town,
    kind: query.kind ?? "",
  };
  const days: Record<string, string | undefined> = { free: query.free, night: query.night };
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && control.name in days) showDay(control, days[control.name]);
    else if (control instanceof HTMLInputElement && control.type === "radio")
      control.checked = control.value === (query.genre ?? "");
    else if (
      (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) &&
      control !== document.activeElement
    ) {
      control.value = wanted[control.name] ?? control.value;
    }
  }
}

/** Returns true if a filter differs from the rendered page. Ignores the hero's fields, because their button submits them. */
const isFilledIn = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll("input, select")].some((control) =>
    control instanceof HTMLSelectElement
      ? [...control.options].some((option) => option.selected !== option.defaultSelected)
      : control instanceof HTMLInputElement &&
        (control.type === "radio"
          ? control.checked !== control.defaultChecked
          : control.value !== control.defaultValue),
  );

function showChosenGenre(form: HTMLFormElement): void {
  const label = form.querySelector('input[name="genre"]:checked')?.parentElement;
  const row = label?.parentElement;
  if (label && row) row.scrollLeft = label.offsetLeft - (row.clientWidth - label.offsetWidth) / 2;
}

/** Returns the form's address. Omits the default sort order, so adding a town can change it. Ignores an unreadable date. */
function addressOfForm(form: HTMLFormElement, query: BrowseQuery): string {
  const values = Object.fromEntries(Array.from(new FormData(form), ([name, value]) => [name, String(value)]));
  for (const control of form.elements)
    if (control instanceof HTMLInputElement && (control.name === "night" || control.name === "free"))
      values[control.name] = control.dataset["day"] || (control.value.trim() ? (query[control.name] ?? "") : "");
  const isUsual = values["sort"] === query.sort && query.sort === sortsOf(query)[0];
  const compare = new URLSearchParams(window.location.search).get("compare") ?? "";
  return paths.browse({ ...values, sort: isUsual ? undefined : values["sort"], compare });
}

function formatPriceBand(band: { min?: number; max?: number }, currency: string): string {
  const whole = (cents: number) => formatMoney(Math.round(cents / 100) * 100, currency);
  if (band.min === undefined) return `Under ${whole(band.max ?? 0)}`;
  return band.max === undefined ? `Over ${whole(band.min)}` : `${whole(band.min)} to ${whole(band.max)}`;
}
