import { lazy, type ReactNode } from "react";
import { Link } from "react-router";
import type { ArtistCard as Card, ListedArtist } from "#artists/api.ts";
import { priceFrom, priceRange, townOf } from "#artists/rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { AfterLoad } from "../lib/browser/after-load.tsx";
import { LinkButton } from "../ui/button.tsx";
import { ArtistPicture } from "../ui/picture.tsx";
import { Rating } from "../ui/star.tsx";
import type { SearchedDate } from "./searched-date.ts";
import styles from "./artist-card.module.css";

const PlaySample = lazy(async () => ({ default: (await import("./card-controls.tsx")).PlaySample }));
const CompareTick = lazy(async () => ({ default: (await import("./card-controls.tsx")).CompareTick }));

export type CardArtist = Pick<
  Card,
  | "slug"
  | "name"
  | "genre"
  | "location"
  | "picture_url"
  | "photo_image"
  | "base_rate"
  | "top_rate"
  | "currency"
  | "price_confirmed"
  | "rating"
  | "review_count"
  | "sample"
> &
  Pick<ListedArtist, "night">;

type PosterArtist = Pick<CardArtist, "picture_url" | "photo_image">;

/** The artist's poster, 3:4. Decorative, because the name is beside it, so styles and fonts load first. */
export function Poster({ artist, eager = false }: { artist: PosterArtist; eager?: boolean }) {
  return (
    <span className="poster">
      <ArtistPicture
        artist={artist}
        sizes="(max-width: 768px) 46vw, 18rem"
        alt=""
        loading={eager ? "eager" : "lazy"}
        decoding="async"
        fetchPriority="low"
      />
    </span>
  );
}

export function GenreAndLocation({ artist }: { artist: Pick<CardArtist, "genre" | "location"> }) {
  const town = townOf(artist.location);
  return <p className="cap">{town ? `${artist.genre}, ${town}` : artist.genre}</p>;
}

const isFree = ({ night }: CardArtist) => !night || night.state === "free";

const priceOrUnavailability = (artist: CardArtist, price = priceFrom(artist)): string =>
  isFree(artist) ? price : (artist.night?.message ?? price);

type CardProps = Readonly<{ artist: CardArtist; searched?: SearchedDate }>;

export function ArtistCard({ artist, searched: { date, town } = {} }: CardProps) {
  return (
    <li className={styles.card} data-lit={artist.night?.state}>
      <Poster artist={artist} />
      <Listen artist={artist} />
      <h3>
        <Link to={paths.artist(artist.slug, date, town)} viewTransition>
          {artist.name}
        </Link>
      </h3>
      <GenreAndLocation artist={artist} />
      <p className="num">
        <span className={styles.price}>{priceFrom(artist)}</span>{" "}
        {artist.review_count > 0 ? <Rating rating={artist.rating} reviews={artist.review_count} /> : null}
      </p>
      {artist.night ? (
        <p className={`note ${isFree(artist) ? "green" : ""} ${styles.slip}`}>{artist.night.message}</p>
      ) : null}
      <div className={styles.compare}>
        <AfterLoad>
          <CompareTick artist={artist} />
        </AfterLoad>
      </div>
    </li>
  );
}

export function FeaturedCard({ artist }: { artist: CardArtist }) {
  return (
    <li className={styles.card} data-lit={artist.night?.state}>
      <Poster artist={artist} />
      <Listen artist={artist} />
      <h3>{artist.name}</h3>
      <GenreAndLocation artist={artist} />
      <p>
        <Rating rating={artist.rating} reviews={artist.review_count} withLabel />
      </p>
      <p className={`${styles.price} num`}>{priceOrUnavailability(artist, priceRange(artist))}</p>
      <LinkButton
        tone="line"
        size="sm"
        className={styles.view}
        to={paths.artist(artist.slug)}
        viewTransition
        aria-label={`View Profile: ${artist.name}`}
      >
        View Profile
      </LinkButton>
    </li>
  );
}

function Listen({ artist }: { artist: CardArtist }) {
  if (!artist.sample) return null;
  return (
    <span className={styles.listen}>
      <AfterLoad>
        <PlaySample artist={artist} sample={artist.sample} />
      </AfterLoad>
    </span>
  );
}

export function CardRow({ children, busy }: { children: ReactNode; busy?: boolean }) {
  return (
    <ul className={styles.row} aria-busy={busy || undefined}>
      {children}
    </ul>
  );
}
