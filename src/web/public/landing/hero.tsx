import type { ChangeEvent } from "react";
import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { buttonClass } from "../../ui/button.tsx";
import { DateField } from "../../ui/date-field/date-field.tsx";
import { comingDays } from "../../ui/date-field/day-limits.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { type CardArtist, Poster, priceOrReason } from "../artist-card.tsx";
import { type BrowseQuery, longestTown, searchForm } from "./browse-query.ts";
import styles from "./hero.module.css";
import landing from "./landing.module.css";

/** The hero: heading, nine posters and the night search. After a search the posters link to artists. */
export function Hero({ artists, query }: { artists: readonly CardArtist[]; query: BrowseQuery }) {
  const columns = [0, 1, 2].map((column) => [0, 1, 2].flatMap((row) => artists[row * 3 + column] ?? []));
  return (
    <section className={styles.hero}>
      <div className={`wrap ${styles.inner}`}>
        <div className={styles.copy}>
          <h1>
            <span>Book </span>
            <span>Amazing </span>
            <span>Artists</span>
          </h1>
          <p>
            Pick your night. Acts that are free stay lit. Pay a deposit, sign, and the artist is paid after the show.
          </p>
        </div>
        <NightBar query={query} />
        <div className={styles.wall} aria-hidden={!query.night}>
          {columns.map((column, at) => (
            <div key={at}>
              {column.map((artist) =>
                artist.night ? (
                  <Link key={artist.slug} to={paths.artist(artist.slug)} data-lit={artist.night.state}>
                    <Poster artist={artist} eager />
                    <b>{artist.name}</b>
                    <small>{priceOrReason(artist)}</small>
                  </Link>
                ) : (
                  <Poster key={artist.slug} artist={artist} eager />
                ),
              )}
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

/** Date, town and kind of evening. They belong to the form of the list, so that one address says everything, also without script. */
function NightBar({ query }: { query: BrowseQuery }) {
  const send = { form: searchForm, onChange: sendForm };
  return (
    <div className={`${landing.tools} ${styles.bar}`} role="group" aria-label="Your night">
      <DateField
        label="Date"
        name="night"
        form={searchForm}
        defaultValue={query.night}
        limitsOf={comingDays}
        onPick={(_day, field) => field.form?.requestSubmit()}
      />
      <TextField
        label="Town"
        name="town"
        maxLength={longestTown}
        autoComplete="address-level2"
        defaultValue={query.town}
        {...send}
      />
      <SelectField label="Kind of evening" name="kind" defaultValue={query.kind ?? ""} {...send}>
        <option value="">Any kind</option>
        <option value="wedding">Wedding</option>
        <option value="private">Private party</option>
        <option value="corporate">Corporate event</option>
      </SelectField>
      <button className="btn" type="submit" form={searchForm}>
        Find Artists
      </button>
      <Link className={`${buttonClass({ tone: "line" })} when-out`} to={paths.signUp}>
        Get Started
      </Link>
      <Link className={`${buttonClass({ tone: "line" })} when-in`} to={paths.dashboard}>
        Dashboard
      </Link>
    </div>
  );
}

const sendForm = ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
  currentTarget.form?.requestSubmit();
