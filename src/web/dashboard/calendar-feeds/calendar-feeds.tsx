import { DirectConnections } from "./direct-connections.tsx";
import { ExternalCalendars } from "./external-calendars.tsx";
import { OwnFeeds } from "./own-feeds.tsx";
import styles from "./feeds.module.css";

/** `imports` adds calendars to read, which only artists have. Promoters have bookings on a settings tab, which is the title. */
export const CalendarFeeds = ({ imports = false }: Readonly<{ imports?: boolean }>) => (
  <section className={imports ? styles.feeds : undefined} id="feeds" aria-labelledby="calendar-feeds">
    <h2 className={imports ? undefined : "sr"} id="calendar-feeds">
      Calendar feeds
    </h2>
    <div className={styles.columns}>
      <OwnFeeds things={imports ? "shows" : "bookings"} />
      <DirectConnections things={imports ? "shows" : "bookings"} />
      {imports ? <ExternalCalendars /> : null}
    </div>
  </section>
);
