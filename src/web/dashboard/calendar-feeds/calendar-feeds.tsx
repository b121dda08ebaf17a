import { OwnFeeds } from "./own-feeds.tsx";
import styles from "./feeds.module.css";

/** The artist's feeds, below the calendar. */
export const CalendarFeeds = () => (
  <section className={styles.feeds} id="feeds" aria-labelledby="calendar-feeds">
    <h2 id="calendar-feeds">Calendar feeds</h2>
    <OwnFeeds />
  </section>
);
