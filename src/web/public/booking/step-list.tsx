import "../../ui/print.css";
import type { ReactNode } from "react";
import type { Step } from "../../booking/status/progress.ts";
import shared from "../programme.module.css";
import styles from "./booking.module.css";

export function WhatHappensNow({ steps }: { steps: readonly Step[] }) {
  return (
    <section className={shared.part}>
      <h2>What happens now</h2>
      <StepList steps={steps} />
    </section>
  );
}

export function StepList({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ title, text, when, done }, at) => (
        <li key={at}>
          <span className={styles.dot} data-on={done || undefined} />
          <span>
            {title ? <strong>{title}</strong> : null}
            <span className={title ? "quiet" : undefined}>{text}</span>
          </span>
          {when ? <span className="small num quiet">{when}</span> : null}
        </li>
      ))}
    </ol>
  );
}

type SummarizedArtist = Readonly<{ name: string; genre: string; picture_url: string }>;

export function ArtistSummary({ artist, children }: { artist: SummarizedArtist; children: ReactNode }) {
  return (
    <div className={`sheet ${styles.stub}`}>
      <span className="poster">
        <img src={artist.picture_url} width={600} height={800} alt="" fetchPriority="low" />
      </span>
      <div className={styles.details}>
        <h2>{artist.name}</h2>
        <p className="quiet small cap">{artist.genre}</p>
        <dl className={`${shared.lines} small`}>{children}</dl>
      </div>
    </div>
  );
}

export const BreakableEmail = ({ address }: { address: string }) =>
  address.split(/(?=[@.])/).map((part, at) => (
    <span key={at}>
      {at > 0 ? <wbr /> : null}
      {part}
    </span>
  ));
