/** What stands in place of a list while it loads, when there is nothing, and when it could not be read. */
import styles from "./list.module.css";

const boneWidths = [
  [62, 52],
  [48, 38],
  [70, 60],
  [55, 45],
  [66, 56],
  [44, 34],
] as const;

/** Rows of bones in the shape of a list. */
export function ListLoading({ what }: Readonly<{ what: string }>) {
  return (
    <section className={styles.sheet} aria-label="Loading">
      <p className="sr" role="status">
        Loading {what}
      </p>
      <table aria-hidden>
        <tbody>
          {boneWidths.map(([first, second]) => (
            <tr key={first}>
              {[first, second, 60, 80].map((width, at) => (
                <td key={at} style={{ width: `${[34, 30, 20, 16][at]}%` }}>
                  <span className={styles.bone} style={{ width: `${width}%` }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A list that truly holds nothing: half-raised curtain, and words that say so. */
export function ListEmpty({ title, hint }: Readonly<{ title: string; hint?: string }>) {
  return (
    <section className={`${styles.sheet} ${styles.state}`}>
      <Curtain lengths={halfRaised} colour="var(--accent)" lit />
      <h2>{title}</h2>
      {hint ? <p className="quiet">{hint}</p> : null}
    </section>
  );
}

type FailedProps = Readonly<{
  /** The plural of what was asked for: "Bookings". */
  what: string;
  /** The server's sentence, or what the browser knows. */
  message: string;
  /** The request's id in the log; absent when the server was never reached. */
  reference?: string | undefined;
  onRetry(): void;
}>;

/** A list that could not be read. Never an empty list, never a zero. */
export function ListFailed({ what, message, reference, onRetry }: FailedProps) {
  return (
    <section className={`${styles.sheet} ${styles.state}`} role="alert">
      <Curtain lengths={closed} colour="var(--ch-4)" />
      <h2>{what} could not be loaded</h2>
      <p className="quiet">{message} Nothing was changed.</p>
      <button className="btn" type="button" onClick={onRetry}>
        Retry
      </button>
      {reference ? <p className="small quiet">Reference {reference}</p> : null}
    </section>
  );
}

const drop = (x: number, length: number) => `M${x} 8h12v${length}q-6 8-12 0z`;

function Curtain({ lengths, colour, lit }: Readonly<{ lengths: readonly (readonly [x: number, length: number])[]; colour: string; lit?: boolean }>) {
  return (
    <svg viewBox="0 0 90 60" aria-hidden>
      <path d="M0 0h90v8H0z" fill="var(--ink)" />
      <path d={lengths.map(([x, length]) => drop(x, length)).join("")} fill={colour} />
      {lit ? <ellipse cx="45" cy="54" rx="24" ry="6" fill="var(--lamp)" /> : null}
    </svg>
  );
}

const halfRaised = [
  [4, 34],
  [20, 24],
  [58, 24],
  [74, 34],
] as const;

const closed = [
  [4, 44],
  [20, 44],
  [39, 44],
  [58, 44],
  [74, 44],
] as const;
