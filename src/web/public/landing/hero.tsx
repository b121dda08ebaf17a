import type { ChangeEvent } from "react";
import { paths } from "#platform/site-paths.rules.ts";
import { formatDay } from "#platform/time/days.rules.ts";
import { LinkButton } from "../../ui/button.tsx";
import { DateField } from "../../ui/date-field/date-field.tsx";
import { SelectField, TextField } from "../../ui/fields/field.tsx";
import { type CardArtist, Poster } from "../artist-card.tsx";
import { maxTownLength } from "../searched-date.ts";
import { type BrowseQuery, searchForm } from "./browse-query.ts";
import styles from "./hero.module.css";
import landing from "./landing.module.css";

export function Hero({ artists, query }: { artists: readonly CardArtist[]; query: BrowseQuery }) {
  if (query.night) return <SmallHero query={query} night={query.night} />;
  const columns = [0, 1, 2].map((column) => [0, 1].flatMap((row) => artists[row * 3 + column] ?? []));
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
        {artists.length === 0 ? null : (
          <div className={styles.wall} aria-hidden>
            {columns.map((column, at) => (
              <div key={at}>
                {column.map((artist) => (
                  <Poster key={artist.slug} artist={artist} eager />
                ))}
              </div>
            ))}
          </div>
        )}
      </div>
    </section>
  );
}

function SmallHero({ query, night }: { query: BrowseQuery; night: string }) {
  return (
    <section className={`${styles.hero} night-hero`}>
      <div className="wrap">
        <h1>Book Amazing Artists</h1>
        <details className="night-summary">
          <summary>
            <span>
              <strong>
                {[formatDay(night, { short: true }), query.town.split(",")[0]].filter(Boolean).join(", ")}
              </strong>
              {query.kind ? <small className="quiet cap">{kindLabels[query.kind]}</small> : null}
            </span>
            <span className="btn line sm">Change</span>
          </summary>
        </details>
        <NightBar query={query} />
      </div>
    </section>
  );
}

const kindLabels = { wedding: "Wedding", private: "Private party", corporate: "Corporate event" } as const;

/** Date, town and kind of event. Part of the list's form, so one address has everything, also without scripts. */
function NightBar({ query }: { query: BrowseQuery }) {
  // Before the first search only the button submits. After it, each change does.
  const send = { form: searchForm, ...(query.night ? { onChange: sendForm } : {}) };
  return (
    <div className={`${landing.tools} ${styles.bar}`} role="group" aria-label="Your night">
      <DateField
        label="Date"
        name="night"
        form={searchForm}
        defaultValue={query.night}
        onPick={(day, field) => query.night && day && field.form?.requestSubmit()}
      />
      <TextField
        label="Town"
        name="town"
        maxLength={maxTownLength}
        autoComplete="address-level2"
        defaultValue={query.town}
        {...send}
      />
      <SelectField label="Event type" name="kind" defaultValue={query.kind ?? ""} {...send}>
        <option value="">Any kind</option>
        {Object.entries(kindLabels).map(([kind, label]) => (
          <option key={kind} value={kind}>
            {label}
          </option>
        ))}
      </SelectField>
      <button className="btn" type="submit" form={searchForm}>
        Find Artists
      </button>
      {query.night ? null : (
        <LinkButton tone="line" to={paths.signUp}>
          Get Started
        </LinkButton>
      )}
    </div>
  );
}

const sendForm = ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
  currentTarget.form?.requestSubmit();
