import { DirectConnections } from "./direct-connections.tsx";
import { ExternalCalendars } from "./external-calendars.tsx";
import { OwnFeeds } from "./own-feeds.tsx";
import styles from "./feeds.module.css";

/** The artist's feeds, below the calendar: theirs in other programs, and other programs' here. */
export const CalendarFeeds = () => (
  <section className={styles.feeds} id="feeds" aria-labelledby="calendar-feeds">
    <h2 id="calendar-feeds">Calendar feeds</h2>
    <div className={styles.columns}>
      <OwnFeeds />
      <DirectConnections />
      <ExternalCalendars />
    </div>
  </section>
);

/** The promoter's ways into other calendars. */
export const PromoterFeeds = () => (
  <div className={styles.columns}>
    <OwnFeeds />
    <DirectConnections />
  </div>
);
