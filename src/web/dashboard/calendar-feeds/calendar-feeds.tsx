import { DirectConnections } from "./direct-connections.tsx";
import { ExternalCalendars } from "./external-calendars.tsx";
import { OwnFeeds } from "./own-feeds.tsx";
import styles from "./feeds.module.css";

/** `imports`: other calendars are read as well, which artists may do. */
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
