import { lazy, Suspense } from "react";
import { Link } from "react-router";
import type { ArtistProfile } from "#artists/api.ts";
import { priceFrom } from "#artists/rules.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { buttonClass } from "../../ui/button.tsx";
import { type ArtistDates, artistLimits } from "../../ui/date-field/day-limits.ts";
import shared from "../programme.module.css";
import styles from "./profile.module.css";

const DayCalendar = lazy(() => import("../../ui/date-field/day-calendar.tsx"));

type Choice = Readonly<{ chosen: string | undefined; onChoose(date: string): void }>;

/** The artist's dates as a calendar with one choice. The page for all visitors does not know today before hydration. */
export function Availability({
  artist,
  chosen,
  onChoose,
}: Choice & {
  artist: ArtistDates & Pick<ArtistProfile, "hold_days"> & Partial<Pick<ArtistProfile, "availability_note">>;
}) {
  const ready = useHydrated();
  return (
    <section id="availability" className={`${shared.part} ${styles.dates}`}>
      <h2>Availability</h2>
      <div className={styles.calendar}>
        {ready ? (
          <Suspense>
            <DayCalendar
              limitsOf={(today) => artistLimits(artist, today)}
              chosen={chosen}
              withHolds={artist.hold_days !== null}
              onChoose={onChoose}
              heading="h3"
            />
          </Suspense>
        ) : null}
      </div>
      {artist.availability_note ? <p className={`small ${styles.bio}`}>{artist.availability_note}</p> : null}
    </section>
  );
}

type Terms = Pick<
  ArtistProfile,
  "slug" | "base_rate" | "currency" | "price_confirmed" | "minimum_notice" | "hold_days" | "taken"
>;

const isOnHold = ({ taken }: Pick<Terms, "taken">, date: string | undefined) =>
  taken.some((one) => one.date === date && one.state === "hold");

export function BookPanel({ artist, chosen }: Pick<Choice, "chosen"> & { artist: Terms }) {
  const onHold = isOnHold(artist, chosen);
  return (
    <section className={`sheet ${shared.pad} ${styles.panel}`}>
      <h2>Book</h2>
      <dl className={`${shared.lines} small ${styles.answer}`}>
        <div>
          <dt>{chosen ? formatDay(chosen) : "Date"}</dt>
          <dd>{chosen ? <strong>{onHold ? "On hold" : "Free"}</strong> : "choose one in the calendar"}</dd>
        </div>
        <div>
          <dt>Price</dt>
          <dd className="num">{priceFrom(artist)}</dd>
        </div>
        <div>
          <dt>Notice</dt>
          <dd>{artist.minimum_notice === 1 ? "at least 1 day" : `at least ${artist.minimum_notice} days`}</dd>
        </div>
      </dl>
      <NextStep wide className={styles.besideBar} artist={artist} chosen={chosen} />
      {artist.hold_days === null || onHold ? null : (
        <Link
          className={buttonClass({ wide: true, tone: "line" })}
          to={paths.promoterArea.newHold(artist.slug, chosen)}
        >
          Hold nights
        </Link>
      )}
    </section>
  );
}

type NextStepProps = Pick<Choice, "chosen"> &
  Readonly<{ artist: Terms; wide?: boolean; className?: string | undefined }>;

export function NextStep({ artist, chosen, wide = false, className = "" }: NextStepProps) {
  const onHold = isOnHold(artist, chosen);
  const to = onHold ? paths.promoterArea.newHold(artist.slug, chosen) : paths.book(artist.slug, chosen);
  return (
    <Link className={`${buttonClass({ wide })} ${className}`} to={to}>
      {onHold ? "Join the queue" : "Book Me Now"}
    </Link>
  );
}
