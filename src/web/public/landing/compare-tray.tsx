import { useEffect, useRef, useState } from "react";
import { maxCompared } from "#artists/compare/compare.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { PlayerIcon } from "../../player/icons.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { ArtistPicture } from "../../ui/picture.tsx";
import type { CardArtist } from "../artist-card.tsx";
import { useCompare } from "../compare-tick/use-compare.ts";
import type { BrowseQuery } from "./browse-query.ts";
import styles from "./compare-tray.module.css";

type Known = Pick<CardArtist, "slug" | "name" | "picture_url" | "photo_image">;
type Props = Readonly<{ query: Pick<BrowseQuery, "night" | "town" | "kind">; listed: readonly Known[] }>;

export function CompareTray({ query, listed }: Props) {
  const { chosen, mark } = useCompare();
  const known = useKnownArtists(chosen, listed);
  useFocusOfAdded(listed.length);
  if (chosen.length === 0) return null;
  const { night, town, kind } = query;
  const left = 2 - chosen.length;
  return (
    <section className={styles.tray} data-tray aria-label="Acts to compare">
      <p className={styles.count} role="status">
        {chosen.length} of {maxCompared}
      </p>
      <ul className={styles.slots}>
        {chosen.map((slug) => {
          const artist = known.get(slug);
          return (
            <li key={slug}>
              {artist ? <ArtistPicture artist={artist} sizes="3rem" alt="" /> : null}
              <span className={styles.name}>{artist?.name ?? slug}</span>
              <button
                type="button"
                aria-label={`Remove ${artist?.name ?? slug}`}
                onClick={() => void mark(slug, false)}
              >
                <PlayerIcon shape="close" />
              </button>
            </li>
          );
        })}
        {Array.from({ length: maxCompared - chosen.length }, (_, n) => (
          <li key={n} className={styles.free} aria-hidden="true">
            Add an act
          </li>
        ))}
      </ul>
      {left > 0 ? (
        <p className={styles.more}>Select one more to compare.</p>
      ) : (
        <LinkButton to={paths.compare(chosen, { night, town, kind })}>Compare</LinkButton>
      )}
    </section>
  );
}

/** Focuses the first act that "Show 24 more" adds, because its link moves below them. Here, because the page loads this file later. */
function useFocusOfAdded(length: number): void {
  const shown = useRef(length);
  useEffect(() => {
    const before = shown.current;
    shown.current = length;
    if (length > before) document.querySelectorAll<HTMLElement>("#browse > ul h3 a")[before]?.focus();
  }, [length]);
}

function useKnownArtists(chosen: readonly string[], listed: readonly Known[]): ReadonlyMap<string, Known> {
  const [read, setRead] = useState<readonly Known[]>([]);
  const known = new Map([...read, ...listed].map((artist) => [artist.slug, artist]));
  const missing = chosen.filter((slug) => !known.has(slug)).join(",");
  useEffect(() => {
    if (missing === "") return;
    let isShown = true;
    const readMissing = async () => {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      const { items } = await browserApi.artists.compare({ artists: missing });
      if (isShown) setRead((before) => [...before, ...items]);
    };
    // After a failure the tray shows their slugs.
    readMissing().catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, [missing]);
  return known;
}
