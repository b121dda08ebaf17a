import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { buttonClass } from "../../ui/button.tsx";
import { type CardArtist, Poster } from "../artist-card.tsx";
import styles from "./hero.module.css";

/** The hero: the heading at left, posters at right. `artists` are shown in three columns of three. */
export function Hero({ artists }: { artists: readonly CardArtist[] }) {
  const columns = [0, 1, 2].map((column) => [0, 1, 2].flatMap((row) => artists[row * 3 + column] ?? []));
  return (
    <section className={styles.hero}>
      <div className={`wrap ${styles.inner}`}>
        <div className={styles.copy}>
          <h1>
            <span>Book </span>
            <span>Amazing </span>
            <span>Artists</span>
          </h1>
          <p>
            See who is free on your night, agree the fee, pay a deposit and sign. The artist is paid after the show.
          </p>
          <div className={styles.actions}>
            <a className={buttonClass({ size: "big" })} href="#browse">
              Find Artists
            </a>
            <Link className={`${buttonClass({ tone: "line", size: "big" })} when-out`} to={paths.signUp}>
              Get Started
            </Link>
            <Link className={`${buttonClass({ tone: "line", size: "big" })} when-in`} to={paths.dashboard}>
              Get Started
            </Link>
          </div>
        </div>
        <div className={styles.wall} aria-hidden>
          {columns.map((column, at) => (
            <div key={at}>
              {column.map((artist) => (
                <Poster key={artist.slug} artist={artist} eager />
              ))}
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
