import type { ReactNode } from "react";
import type { ArtistProfile } from "#artists/api.ts";
import { balanceDueDays, holdLimits, policyNamed } from "#bookings/rules.ts";
import { isCurrency, splitPrice } from "#payments/rules.ts";
import { dayAndMonth, dayWords, todayHere } from "../lib/dates.ts";
import { money } from "../lib/money.ts";
import { useSite } from "../lib/site.ts";
import { GenreAndPlace, Poster } from "./artist-card.tsx";
import { type Kept, keptSteps } from "./cancel-terms.ts";
import styles from "./booking.module.css";
import shared from "./programme.module.css";
import type { Check } from "./use-check.ts";

type Props = { artist: ArtistProfile; date: string; check: Check | undefined; children: ReactNode };

/** The price in cents: by the server's answer, and until it comes by the same rule from what the page knows. */
function usePrice(artist: ArtistProfile, check: Check | undefined) {
  const percent = useSite()?.depositPercent ?? 0;
  const say = (cents: number) => money(cents, check?.price.currency ?? artist.currency);
  if (check) {
    const { fee_cents: fee, deposit_cents: deposit, balance_cents: balance, deposit_percent } = check.price;
    return { fee, deposit, balance, percent: deposit_percent, due: check.price.balance_due, say };
  }
  const currency = isCurrency(artist.currency) ? artist.currency : "usd";
  return { fee: artist.base_rate, ...splitPrice(artist.base_rate, percent, currency), percent, due: undefined, say };
}

/** The panel beside the form: who, whether the date is free, what it costs, what is due when, and what a cancellation costs. */
export function PricePanel({
  artist,
  date,
  check,
  failed,
  onDate,
  children,
}: Props & { failed: string | undefined; onDate(date: string): void }) {
  const answer = check?.date;
  return (
    <div className={`sheet ${shared.pad} ${shared.stack}`}>
      <div className={styles.who}>
        <Poster artist={artist} eager />
        <div>
          <h2>{artist.name}</h2>
          <div className="small quiet">
            <GenreAndPlace artist={artist} />
          </div>
        </div>
      </div>
      <div aria-live="polite" className={shared.stack}>
        {failed ? (
          <p className="note gold">
            The date could not be checked just now: {failed} It is checked again when you send the form.
          </p>
        ) : (
          <DateSlip artist={artist} check={check} />
        )}
        {answer && answer.nearest.length > 0 ? <Nearest dates={answer.nearest} onDate={onDate} /> : null}
        <Price artist={artist} date={date} check={check} />
      </div>
      {children}
    </div>
  );
}

const signs = {
  green: <path d="M5.5 10.4l3 3 6-6.4" fill="none" stroke="var(--green-p)" strokeWidth="2.2" />,
  gold: <path d="M10 5v5l3.4 2.2" fill="none" stroke="var(--gold-p)" strokeWidth="2.2" />,
  cherry: <path d="M6.3 6.3l7.4 7.4M13.7 6.3l-7.4 7.4" fill="none" stroke="var(--cherry-p)" strokeWidth="2.2" />,
};

/** The answer to the chosen date as a slip of coloured paper: the server's sentence, its first part in bold. */
function DateSlip({ artist, check }: { artist: ArtistProfile; check: Check | undefined }) {
  const answer = check?.date;
  if (!answer || answer.state === "incomplete")
    return <p className="note">Choose a date, and this panel says at once whether {artist.name} is free.</p>;
  if (answer.state === "free") return <Slip tone="green" message={`${answer.message} ${freeWords[check.checkout]}`} />;
  return (
    <Slip
      tone={answer.state === "held" ? "gold" : "cherry"}
      message={answer.state === "taken" ? `${answer.message} Your entries stay as they are.` : answer.message}
    />
  );
}

const freeWords: Record<Check["checkout"], string> = {
  deposit: `Your checkout holds the date for ${holdLimits.shownMinutes} minutes; paying the deposit takes it.`,
  on_request: "A request holds nothing yet; others can still book the date.",
  payments_not_set_up: "A request holds nothing yet; others can still book the date.",
};

function Slip({ tone, message }: { tone: keyof typeof signs; message: string }) {
  const [first = "", ...rest] = message.split(/(?<=\.) /);
  return (
    <p className={`note ${tone} ${styles.slip}`}>
      <svg viewBox="0 0 20 20" aria-hidden>
        <circle cx="10" cy="10" r="10" fill="currentColor" />
        {signs[tone]}
      </svg>
      <span>
        <strong>{first}</strong> {rest.join(" ")}
      </span>
    </p>
  );
}

function Nearest({ dates, onDate }: { dates: Check["date"]["nearest"]; onDate(date: string): void }) {
  return (
    <div>
      <h3 className={styles.small}>Nearest free dates</h3>
      <div className={styles.dates}>
        {dates.map(({ date, reason }) => (
          <button key={date} type="button" onClick={() => onDate(date)}>
            {dayWords(date, { short: true })}
            <small>{reason}</small>
          </button>
        ))}
      </div>
    </div>
  );
}

function Price({ artist, date, check }: Omit<Props, "children">) {
  const { percent, fee, deposit, balance, due, say } = usePrice(artist, check);
  if (fee === 0) return <OnRequest now={say(0)} />;
  const free = check?.date.state === "free";
  return (
    <>
      <dl className={`${shared.lines} num`}>
        <div>
          <dt>{artist.name}, base rate</dt>
          <dd>{say(fee)}</dd>
        </div>
        <div className={shared.sum}>
          <dt>You pay in all</dt>
          <dd>{say(fee)}</dd>
        </div>
      </dl>
      <p className={`small quiet ${styles.near}`}>Nothing is added on top.</p>
      <dl className={`${shared.lines} ${shared.heavy} num`}>
        <div className={shared.sum}>
          <dt>Deposit now ({percent}%)</dt>
          <dd>{say(deposit)}</dd>
        </div>
        {balance > 0 ? (
          <div>
            <dt>{balanceWords(due)}</dt>
            <dd>{say(balance)}</dd>
          </div>
        ) : null}
      </dl>
      {check?.checkout === "payments_not_set_up" ? (
        <p className="note gold">
          Payments are not set up here yet. Your request is stored, nothing is charged, and we tell you by mail how it
          goes on.
        </p>
      ) : null}
      {free ? (
        <IfYouCancel
          fee={fee}
          deposit={deposit}
          balance={balance}
          date={date}
          policyName={check.price.policy_name}
          say={say}
        />
      ) : null}
    </>
  );
}

/** `due` is a date, null when the balance is due at once, and undefined as long as no date is known. */
function balanceWords(due: string | null | undefined): string {
  if (due === undefined) return `Balance, ${balanceDueDays} days before`;
  return due === null ? "Balance, once both have signed" : `Balance, due ${dayAndMonth(due)}`;
}

type CancelProps = {
  fee: number;
  deposit: number;
  balance: number;
  date: string;
  policyName: string;
  say(cents: number): string;
};

/** The steps of the cancellation terms for this date, to the cent: drawn as a bar, said in words. */
function IfYouCancel({ fee, deposit, balance, date, policyName, say }: CancelProps) {
  const policy = policyNamed(policyName);
  const steps = keptSteps(policy, { fee, deposit, balance }, { date, today: todayHere() });
  const free = policy.coolingOff.hours;
  return (
    <div>
      <h3>If you cancel</h3>
      <div className={styles.curve} aria-hidden>
        {steps.map((step) => (
          <i key={step.until ?? "end"} data-share={shareStep(step, fee)} style={{ flexGrow: step.days }} />
        ))}
      </div>
      <p className="small quiet">
        {steps.some((step) => step.coolingOff) ? `Everything comes back within ${free} hours of paying. ` : ""}
        {stepWords(steps, say)} Never more than you have paid.
      </p>
    </div>
  );
}

const shareStep = (step: Kept, fee: number) => Math.ceil((step.kept / Math.max(fee, 1)) * 4);

function stepWords(steps: readonly Kept[], say: (cents: number) => string): string {
  const words = steps.map((step, at) => {
    const what = at === 0 ? `the artist keeps ${say(step.kept)}` : say(step.kept);
    return step.until ? `until ${dayAndMonth(step.until)} ${what}` : steps.length === 1 ? what : `then ${what}`;
  });
  const line = words.join(", ");
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}.`;
}

function OnRequest({ now }: { now: string }) {
  return (
    <>
      <dl className={shared.lines}>
        <div className={shared.sum}>
          <dt>Price</dt>
          <dd>On request</dd>
        </div>
      </dl>
      <dl className={`${shared.lines} ${shared.heavy} num`}>
        <div className={shared.sum}>
          <dt>To pay now</dt>
          <dd>{now}</dd>
        </div>
      </dl>
    </>
  );
}

/** The bar at the foot of a phone: the amount and the one main action. */
export function PhoneBar({ artist, date, check, children }: Props) {
  const { fee, deposit, say } = usePrice(artist, check);
  return (
    <div className={shared.bar}>
      <span>
        <strong className="num">{fee === 0 ? "Price on request" : `${say(deposit)} deposit`}</strong>
        <br />
        <span className="small quiet">{barWords(date, check)}</span>
      </span>
      {children}
    </div>
  );
}

function barWords(date: string, check: Check | undefined): string {
  const state = check?.date.state ?? "incomplete";
  if (state === "incomplete") return "choose a date";
  return `${dayAndMonth(date)} ${stateWords[state]}`;
}

const stateWords = {
  free: "is free",
  held: "is on hold",
  taken: "is taken",
  too_soon: "is too soon",
  too_far: "is too far ahead",
  invalid_time: "has no such time",
} as const;
