import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from "react";
import type { ArtistProfile } from "#artists/api.ts";
import type { PictureImage } from "#artists/media.rules.ts";
import { videoEmbedAddress } from "#artists/media/video.rules.ts";
import { Picture } from "../../ui/picture.tsx";
import shared from "../programme.module.css";
import lightbox from "./lightbox.module.css";
import styles from "./profile.module.css";

type Work = ArtistProfile["media"][number];

export function Portfolio({ artist }: { artist: ArtistProfile }) {
  const [opened, setOpened] = useState<number>();
  const works = inOrder(artist.media);
  if (works.length === 0 && !artist.video_url) return null;
  const film = works.find((work) => work.kind === "video") ?? works[0];
  const describe = (work: Work) => work.alt || work.caption || `From the portfolio of ${artist.name}`;
  const embed = artist.video_url ? videoEmbedAddress(artist.video_url) : undefined;
  const large: LightboxWork[] = [
    ...works.map((work) => ({ ...work, alt: describe(work) })),
    ...(embed ? [{ url: embed, alt: `Video of ${artist.name}`, caption: film?.caption ?? "" }] : []),
  ];
  // Without scripts, and for a new tab, the links lead to the same pictures.
  const open = (at: number) => (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    setOpened(at);
  };
  return (
    <section className={shared.part}>
      <h2>Portfolio</h2>
      {works.length > 0 ? (
        <div className={styles.media} data-count={Math.min(works.length, 3)}>
          {works.map((work, at) => (
            <figure key={work.id}>
              <a className={styles.work} href={work.url} onClick={open(at)}>
                <span className="poster">
                  <Picture
                    address={work.url}
                    image={work.image}
                    sizes={at === 0 ? "(max-width: 768px) 92vw, 480px" : "(max-width: 768px) 46vw, 240px"}
                    width={800}
                    height={600}
                    alt={describe(work)}
                    loading="lazy"
                  />
                </span>
              </a>
              {artist.video_url && work === film ? (
                <FilmLink url={artist.video_url} title={work.caption} onOpen={embed ? open(works.length) : undefined} />
              ) : work.caption ? (
                <figcaption>{work.caption}</figcaption>
              ) : null}
            </figure>
          ))}
        </div>
      ) : (
        <FilmLink url={artist.video_url ?? ""} title="" onOpen={embed ? open(0) : undefined} />
      )}
      {opened === undefined ? null : (
        <Lightbox works={large} start={opened} artist={artist.name} onClose={() => setOpened(undefined)} />
      )}
    </section>
  );
}

const inOrder = (media: readonly Work[]): Work[] => [
  ...media.filter((one) => one.kind === "video"),
  ...media.filter((one) => one.kind === "photo"),
];

type FilmProps = { url: string; title: string; onOpen: ((event: MouseEvent) => void) | undefined };

/** YouTube and Vimeo play here. Other links open in a new tab. */
function FilmLink({ url, title, onOpen }: FilmProps) {
  const note = onOpen ? "" : " (opens in a new tab)";
  return (
    <a
      className={styles.play}
      href={url}
      onClick={onOpen}
      target={onOpen ? undefined : "_blank"}
      rel="noreferrer"
      aria-label={title ? `Play ${title}${note}` : undefined}
    >
      <svg width="11" height="13" viewBox="0 0 10 12" aria-hidden>
        <path d="M0 0l10 6-10 6z" fill="currentColor" />
      </svg>
      {title || "View Video"}
      {note ? <span className="sr">{note}</span> : null}
    </a>
  );
}

type LightboxWork = Readonly<{ url: string; image?: PictureImage | null; alt: string; caption: string }>;

type Props = Readonly<{ works: readonly LightboxWork[]; start: number; artist: string; onClose(): void }>;

function Lightbox({ works, start, artist, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [at, setAt] = useState(start);
  useEffect(() => {
    const from = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (from instanceof HTMLElement) from.focus();
    };
  }, []);
  const work = works[at];
  if (!work) return null;
  const isVideo = work.image === undefined;
  const step = (by: number) => setAt((at + by + works.length) % works.length);
  const keys = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0 || works.length < 2) return;
    event.preventDefault();
    step(by);
  };
  return (
    <dialog
      ref={dialog}
      className={lightbox.box}
      aria-label={`Portfolio of ${artist}`}
      onClose={onClose}
      onKeyDown={keys}
    >
      <div className={lightbox.stage}>
        {isVideo ? (
          <iframe
            src={work.url}
            title={work.alt}
            allow="autoplay; fullscreen; picture-in-picture"
            referrerPolicy="strict-origin-when-cross-origin"
          />
        ) : (
          <Picture key={work.url} address={work.url} image={work.image} sizes="92vw" alt={work.alt} />
        )}
      </div>
      <div className={lightbox.foot}>
        <p role="status">
          <span className="sr">
            {isVideo ? "Video" : "Picture"} {at + 1} of {works.length}.{" "}
          </span>
          {work.caption || work.alt}
        </p>
        {works.length > 1 ? (
          <>
            <span className="num" aria-hidden>
              {at + 1}/{works.length}
            </span>
            <button type="button" aria-label="Previous" onClick={() => step(-1)}>
              ‹
            </button>
            <button type="button" aria-label="Next" onClick={() => step(1)}>
              ›
            </button>
          </>
        ) : null}
        <button type="button" aria-label="Close" onClick={() => dialog.current?.close()}>
          ×
        </button>
      </div>
    </dialog>
  );
}
