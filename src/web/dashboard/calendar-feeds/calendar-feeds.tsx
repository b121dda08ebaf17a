import { DirectConnections } from "./direct-connections.tsx";
import { ExternalCalendars } from "./external-calendars.tsx";
import { OwnFeeds } from "./own-feeds.tsx";
import styles from "./feeds.module.css";

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

export const PromoterFeeds = () => (
  <div className={styles.columns}>
    <OwnFeeds />
    <DirectConnections />
  </div>
);
