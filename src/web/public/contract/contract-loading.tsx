import type { CSSProperties } from "react";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import styles from "./contract.module.css";

/** The colors of the artist's poster are not known yet. */
const inks = { "--ground": "var(--sheet)", "--lettering": "var(--ink)" } as CSSProperties;

/** The shape of the contract while it loads. */
export const ContractLoading = () => (
  <div aria-busy>
    <header className={styles.head} style={inks}>
      <div className="wrap">
        <div className={styles.title}>
          <h1>Your contract</h1>
          <p role="status">Loading the contract</p>
        </div>
      </div>
    </header>
    <div className="wrap" aria-hidden>
      <div className={styles.layout}>
        <span />
        <Skeleton height="44rem" />
      </div>
    </div>
  </div>
);
