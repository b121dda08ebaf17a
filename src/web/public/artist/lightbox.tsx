import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { PictureImage } from "#artists/media.rules.ts";
import { Picture } from "../../ui/picture.tsx";
import styles from "./lightbox.module.css";

export type LightboxWork = Readonly<
  { key: string; alt: string; caption: string } & (
    | { address: string; image: PictureImage | null; video?: never }
    | { video: string; address?: never }
  )
>;

type Props = Readonly<{ works: readonly LightboxWork[]; start: number; artist: string; onClose(): void }>;

export function Lightbox({ works, start, artist, onClose }: Props) {
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
      className={styles.box}
      aria-label={`Portfolio of ${artist}`}
      onClose={onClose}
      onKeyDown={keys}
    >
      <div className={styles.stage}>
        {work.video ? (
          <iframe
            src={work.video}
            title={work.alt}
            allow="autoplay; fullscreen; picture-in-picture"
            referrerPolicy="strict-origin-when-cross-origin"
          />
        ) : (
          <Picture
            key={work.key}
            address={work.address ?? ""}
            image={work.address === undefined ? null : work.image}
            sizes="92vw"
            alt={work.alt}
          />
        )}
      </div>
      <div className={styles.foot}>
        <p role="status">
          <span className="sr">
            {work.video ? "Video" : "Picture"} {at + 1} of {works.length}.{" "}
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
