import { Link } from "react-router";
import type { ArtistProfile } from "#artists/api.ts";
import { priceFrom } from "#artists/rules.ts";
import { formatDay, localToday } from "../../lib/format/dates.ts";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { buttonClass } from "../../ui/button.tsx";
import shared from "../programme.module.css";
import { type ArtistDates, AvailabilityCalendar, availabilityOf } from "../availability/availability-calendar.tsx";
import styles from "./profile.module.css";

type Props = {
  artist: ArtistDates &
    Pick<ArtistProfile, "slug" | "base_rate" | "currency" | "price_confirmed"> &
    Partial<Pick<ArtistProfile, "availability_note">>;
};

type Choice = { chosen: string | undefined; onChoose(date: string): void };

export function Availability({ artist, ...choice }: Props & Choice) {
  // A page that is rendered for all visitors cannot use the reader's local date.
  const today = useHydrated() ? localToday() : undefined;
  return (
    <section id="availability" className={`sheet ${shared.pad} ${styles.panel}`}>
      <h2>Availability</h2>
      {today ? <Dates artist={artist} today={today} {...choice} /> : <div className={styles.waiting} />}
      {artist.availability_note ? <p className={`small ${styles.bio}`}>{artist.availability_note}</p> : null}
    </section>
  );
}

function Dates({ artist, today, chosen, onChoose }: Props & Choice & { today: string }) {
  const free = chosen && availabilityOf(artist, today).stateOf(chosen) === "free" ? chosen : undefined;
  return (
    <>
      <AvailabilityCalendar artist={artist} today={today} chosen={chosen} onChoose={onChoose} />
      <dl className={`${shared.lines} small ${styles.answer}`}>
        {free ? (
          <div>
            <dt>{formatDay(free)}</dt>
            <dd>
              <strong>Free</strong>
            </dd>
          </div>
        ) : null}
        <div>
          <dt>Price</dt>
          <dd className="num">{priceFrom(artist)}</dd>
        </div>
        <div>
          <dt>Notice</dt>
          <dd>{artist.minimum_notice === 1 ? "at least 1 day" : `at least ${artist.minimum_notice} days`}</dd>
        </div>
      </dl>
      <Link className={`${buttonClass({ wide: true })} ${styles.besideBar}`} to={paths.book(artist.slug, free)}>
        Book Me Now
      </Link>
    </>
  );
}
