import type { ArtistProfile } from "#artists/api.ts";
import { Bars } from "./bars.tsx";
import styles from "./profile.module.css";

type Counts = NonNullable<ArtistProfile["answers"]>;

/** Returns the time within which the artist answers more than half of the requests. */
export function usualAnswer(counts: Counts | null): string | undefined {
  if (!counts) return undefined;
  const { requests, within_3_hours: fast, within_a_day: sameDay } = counts;
  if (2 * fast > requests) return "3 hours";
  return 2 * (fast + sameDay) > requests ? "a day" : undefined;
}

export function Answers({ counts }: Readonly<{ counts: Counts | null }>) {
  if (!counts) return null;
  const { requests, within_3_hours: fast, within_a_day: sameDay } = counts;
  const usual = usualAnswer(counts);
  return (
    <section className={styles.answers}>
      <h2>Answers</h2>
      <p>
        {usual ? (
          <>
            <strong>Within {usual}</strong>, as a rule.{" "}
          </>
        ) : null}
        Of the last {requests} requests:
      </p>
      <Bars
        label="Requests by time of the answer"
        lines={[
          { label: "within 3 hours", count: fast },
          { label: "within a day", count: sameDay },
          { label: "later or not at all", count: requests - fast - sameDay },
        ]}
      />
    </section>
  );
}
