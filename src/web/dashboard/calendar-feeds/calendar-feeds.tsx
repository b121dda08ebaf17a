import { DirectConnections } from "./direct-connections.tsx";
import { ExternalCalendars } from "./external-calendars.tsx";
import { OwnFeeds } from "./own-feeds.tsx";
import styles from "./feeds.module.css";

/** `imports` adds calendars to read, which only artists have. */
export const CalendarFeeds = ({ imports = false }: Readonly<{ imports?: boolean }>) => (
  <section className={styles.feeds} id="feeds" aria-labelledby="calendar-feeds">
    <h2 id="calendar-feeds">Calendar feeds</h2>
    <div className={styles.columns}>
      <OwnFeeds />
      <DirectConnections />
      {imports ? <ExternalCalendars /> : null}
    </div>
  </section>
);
