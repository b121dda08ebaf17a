import type { ReactNode } from "react";
import styles from "./booking.module.css";
import shared from "./programme.module.css";

export type Step = Readonly<{ title: string; text: string; when?: string | undefined; done?: boolean }>;

/** What happens now and then: done is filled, the future is a ring. */
export function WhatHappensNow({ steps }: { steps: readonly Step[] }) {
  return (
    <section className={shared.part}>
      <h2>What happens now</h2>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step.title}>
            <span className={styles.dot} data-on={step.done || undefined} />
            <span>
              <strong>{step.title}</strong>
              <span className="quiet">{step.text}</span>
            </span>
            <span className="small num quiet">{step.when}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

type StubArtist = Readonly<{ name: string; genre: string; picture_url: string }>;

/** The booking in short, torn off beside the artist's poster. */
export function Stub({ artist, children }: { artist: StubArtist; children: ReactNode }) {
  return (
    <div className={`sheet ${styles.stub}`}>
      <span className="poster">
        <img src={artist.picture_url} width={600} height={800} alt="" />
      </span>
      <div className={styles.facts}>
        <h2>{artist.name}</h2>
        <p className="quiet small cap">{artist.genre}</p>
        <dl className={`${shared.lines} small`}>{children}</dl>
      </div>
    </div>
  );
}

/** One line of the stub. */
export function StubLine({ word, children }: { word: string; children: ReactNode }) {
  return (
    <div>
      <dt>{word}</dt>
      <dd>{children}</dd>
    </div>
  );
}
