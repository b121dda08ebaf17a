import type { ArtistReview } from "#artists/api.ts";
import styles from "./star-spread.module.css";

export function StarSpread({ counts }: Readonly<{ counts: readonly number[] }>) {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  const lines = counts.map((count, at) => ({ stars: at + 1, count })).toReversed();
  return (
    <ul className={styles.spread} aria-label="Reviews by stars">
      {lines.map(({ stars, count }) => (
        <li key={stars}>
          <span>{stars === 1 ? "1 star" : `${stars} stars`}</span>
          <span className={styles.bar} aria-hidden>
            <i style={{ width: `${(100 * count) / all}%` }} />
          </span>
          <span className={styles.count}>{count}</span>
        </li>
      ))}
    </ul>
  );
}

export function ReviewReply({
  artist,
  reply,
}: Readonly<{ artist: string; reply: Pick<NonNullable<ArtistReview["reply"]>, "body"> }>) {
  return (
    <div className={styles.reply}>
      <h4>{artist} answers</h4>
      <p>{reply.body}</p>
    </div>
  );
}
