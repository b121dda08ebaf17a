import type { ArtistProfile } from "#artists/api.ts";
import { formatDay, formatDayAndMonth } from "../../lib/format/dates.ts";
import styles from "./shows.module.css";

export function NextShows({ shows }: Pick<ArtistProfile, "shows">) {
  if (shows.length === 0) return null;
  return (
    <section>
      <h2>Next public shows</h2>
      <ul>
        {shows.map(({ date, town, venue }) => {
          const [day, month] = formatDayAndMonth(date, { short: true }).split(" ");
          const [weekday] = formatDay(date).split(" ");
          return (
            <li className={styles.show} key={`${date} ${venue}`}>
              <time className={styles.date} dateTime={date}>
                <span>{day} </span>
                {month} {date.slice(0, 4)}
              </time>
              <p>
                <strong>{venue ?? town}</strong>
                <span className="small quiet">{venue ? `${town}, ${weekday}` : weekday}</span>
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
