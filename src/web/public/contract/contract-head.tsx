import type { CSSProperties } from "react";
import { posterUrl } from "#artists/rules.ts";
import { describeDay } from "../../lib/format/dates.ts";
import { SignBy } from "./sign-by.tsx";
import type { ContractResponse } from "./use-signing.ts";
import styles from "./contract.module.css";

export const otherPartyOf = ({ artist, side, signers }: ContractResponse): string =>
  side === "promoter" ? artist.name : (signers.find((signer) => signer.side === "promoter")?.name ?? "the promoter");

export function ContractHead({ contract }: Readonly<{ contract: ContractResponse }>) {
  const { artist, document, expires_at: end } = contract;
  const inks = { "--ground": artist.inks.ground, "--lettering": artist.inks.ink } as CSSProperties;
  return (
    <header className={styles.head} style={inks}>
      <div className="wrap">
        <div className={styles.title}>
          <p className={styles.number}>
            {contract.number}
            {document ? `, ${document.pages} ${document.pages === 1 ? "page" : "pages"}` : ""}
          </p>
          <h1>Your contract with {otherPartyOf(contract)}</h1>
          <p>
            {describeDay(contract.event_date)}, {contract.venue_name}
          </p>
          {end && contract.can_sign ? (
            <p className={styles.phoneOnly}>
              <SignBy end={end} />
            </p>
          ) : null}
        </div>
        <span className={`poster ${styles.poster}`}>
          <img src={posterUrl(artist)} width={600} height={800} alt="" />
        </span>
      </div>
    </header>
  );
}
