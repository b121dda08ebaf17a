import type { ArtistProfile } from "#artists/api.ts";
import shared from "../programme.module.css";
import styles from "./profile.module.css";

type Work = ArtistProfile["media"][number];

/** Pictures of the artist's work; the one that stands for the video carries the link to it. */
export function Portfolio({ artist }: { artist: ArtistProfile }) {
  const works = inOrder(artist.media);
  if (works.length === 0 && !artist.video_url) return null;
  const film = works.find((work) => work.kind === "video") ?? works[0];
  return (
    <section className={shared.part}>
      <h2>Portfolio</h2>
      {works.length > 0 ? (
        <div className={styles.media} data-count={Math.min(works.length, 3)}>
          {works.map((work) => (
            <figure key={work.id}>
              <span className="poster">
                <img
                  src={work.url}
                  width={800}
                  height={600}
                  alt={work.caption || `From the portfolio of ${artist.name}`}
                  loading="lazy"
                />
              </span>
              {artist.video_url && work === film ? <FilmLink url={artist.video_url} title={work.caption} /> : null}
            </figure>
          ))}
        </div>
      ) : (
        <FilmLink url={artist.video_url ?? ""} title="" />
      )}
    </section>
  );
}

/** The video's picture first: it is the large one. */
const inOrder = (media: readonly Work[]): Work[] => [
  ...media.filter((one) => one.kind === "video"),
  ...media.filter((one) => one.kind === "photo"),
];

function FilmLink({ url, title }: { url: string; title: string }) {
  return (
    <a className={styles.play} href={url} target="_blank" rel="noreferrer">
      <svg width="11" height="13" viewBox="0 0 10 12" aria-hidden>
        <path d="M0 0l10 6-10 6z" fill="currentColor" />
      </svg>
      {title || "View Video"}
      <span className="sr"> (opens in a new tab)</span>
    </a>
  );
}
