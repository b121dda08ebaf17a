import type { ReactNode } from "react";
import type { ArtistProfile } from "#artists/api.ts";
import { balanceDueDays, holdLimits, policyNamed } from "#bookings/rules.ts";
import { isCurrency, splitPrice } from "#payments/rules.ts";
import { dayAndMonth, dayWords, shiftDay, todayHere } from "../lib/dates.ts";
import { money } from "../lib/money.ts";
import { useSite } from "../lib/site.ts";
import { GenreAndPlace, Poster } from "./artist-card.tsx";
import { type Kept, keptSteps } from "./cancel-terms.ts";
import type { DateAnswer, NearDate } from "./date-answer.ts";
import styles from "./booking.module.css";
import shared from "./programme.module.css";

type Props = { artist: ArtistProfile; date: string; answer: DateAnswer; children: ReactNode };

/** Deposit and balance of an artist's base rate, in cents. */
function usePrice(artist: ArtistProfile) {
  const percent = useSite()?.depositPercent ?? 0;
  const currency = isCurrency(artist.currency) ? artist.currency : "usd";
  return {
    percent,
    fee: artist.base_rate,
    ...splitPrice(artist.base_rate, percent, currency),
    say: (cents: number) => money(cents, artist.currency),
  };
}

/** The panel beside the form: who, whether the date is free, what it costs, what is due when, and what a cancellation costs. */
export function PricePanel({ artist, date, answer, onDate, children }: Props & { onDate(date: string): void }) {
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
        <DateSlip artist={artist} date={date} answer={answer} />
        {"nearest" in answer && answer.nearest.length > 0 ? <Nearest dates={answer.nearest} onDate={onDate} /> : null}
        {"limit" in answer ? (
          <Nearest
            dates={[{ date: answer.limit, why: answer.state === "late" ? "the last one" : "the first one" }]}
            onDate={onDate}
          />
        ) : null}
        {artist.base_rate === 0 ? (
          <OnRequest currency={artist.currency} />
        ) : (
          <Price artist={artist} date={date} answer={answer} />
        )}
      </div>
      {children}
    </div>
  );
}

/** The answer to the chosen date as a slip of coloured paper. */
function DateSlip({ artist, date, answer }: { artist: ArtistProfile; date: string; answer: DateAnswer }) {
  const day = dayWords(date);
  switch (answer.state) {
    case "none":
      return <p className="note">Choose a date, and this panel says at once whether {artist.name} is free.</p>;
    case "free":
      return (
        <Slip
          tone="green"
          sign={<path d="M5.5 10.4l3 3 6-6.4" fill="none" stroke="var(--green-p)" strokeWidth="2.2" />}
        >
          <strong>{day} is free.</strong>{" "}
          {artist.base_rate === 0
            ? "A request holds nothing yet; others can still book the date."
            : `Your checkout holds the date for ${holdLimits.shownMinutes} minutes; paying the deposit takes it.`}
        </Slip>
      );
    case "hold":
      return (
        <Slip tone="gold" sign={<path d="M10 5v5l3.4 2.2" fill="none" stroke="var(--gold-p)" strokeWidth="2.2" />}>
          <strong>{day} is on hold.</strong> Somebody is at the checkout. If they do not pay within{" "}
          {holdLimits.shownMinutes} minutes, the date is free again.
        </Slip>
      );
    case "booked":
      return (
        <Slip
          tone="cherry"
          sign={<path d="M6.3 6.3l7.4 7.4M13.7 6.3l-7.4 7.4" fill="none" stroke="var(--cherry-p)" strokeWidth="2.2" />}
        >
          <strong>{day} is taken.</strong> {artist.name} is booked that night. Your entries stay as they are.
        </Slip>
      );
    default:
      return (
        <Slip
          tone="cherry"
          sign={<path d="M6.3 6.3l7.4 7.4M13.7 6.3l-7.4 7.4" fill="none" stroke="var(--cherry-p)" strokeWidth="2.2" />}
        >
          <strong>{day} cannot be booked.</strong> {limitWords(artist, answer.state)}
        </Slip>
      );
  }
}

function limitWords(artist: ArtistProfile, state: "early" | "late" | "past"): string {
  if (state === "past") return "The date has passed.";
  const days = state === "early" ? artist.minimum_notice : artist.maximum_booking_days;
  const count = days === 1 ? "1 day" : `${days} days`;
  return state === "early"
    ? `${artist.name} asks for at least ${count} of notice.`
    : `${artist.name} takes bookings at most ${count} ahead.`;
}

function Slip({ tone, sign, children }: { tone: "green" | "gold" | "cherry"; sign: ReactNode; children: ReactNode }) {
  return (
    <p className={`note ${tone} ${styles.slip}`}>
      <svg viewBox="0 0 20 20" aria-hidden>
        <circle cx="10" cy="10" r="10" fill="currentColor" />
        {sign}
      </svg>
      <span>{children}</span>
    </p>
  );
}

function Nearest({ dates, onDate }: { dates: readonly NearDate[]; onDate(date: string): void }) {
  return (
    <div>
      <h3 className={styles.small}>{dates.length === 1 ? "Nearest date" : "Nearest free dates"}</h3>
      <div className={styles.dates}>
        {dates.map(({ date, why }) => (
          <button key={date} type="button" onClick={() => onDate(date)}>
            {dayWords(date, { short: true })}
            <small>{why}</small>
          </button>
        ))}
      </div>
    </div>
  );
}

function Price({ artist, date, answer }: { artist: ArtistProfile; date: string; answer: DateAnswer }) {
  const { percent, fee, deposit, balance, say } = usePrice(artist);
  const chosen = answer.state === "free" ? date : undefined;
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
            <dt>{balanceWords(chosen)}</dt>
            <dd>{say(balance)}</dd>
          </div>
        ) : null}
      </dl>
      {chosen ? <IfYouCancel fee={fee} deposit={deposit} balance={balance} date={chosen} say={say} /> : null}
    </>
  );
}

function balanceWords(date: string | undefined): string {
  if (!date) return `Balance, ${balanceDueDays} days before`;
  const due = shiftDay(date, -balanceDueDays);
  return due > todayHere() ? `Balance, due ${dayAndMonth(due)}` : "Balance, once both have signed";
}

type CancelProps = { fee: number; deposit: number; balance: number; date: string; say(cents: number): string };

/** The steps of the cancellation terms for this date, to the cent: drawn as a bar, said in words. */
function IfYouCancel({ fee, deposit, balance, date, say }: CancelProps) {
  const policy = policyNamed(useSite()?.policyName ?? "standard");
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

function OnRequest({ currency }: { currency: string }) {
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
          <dd>{money(0, currency)}</dd>
        </div>
      </dl>
    </>
  );
}

/** The bar at the foot of a phone: the amount and the one main action. */
export function PhoneBar({ artist, date, answer, children }: Props) {
  const { deposit, say } = usePrice(artist);
  return (
    <div className={shared.bar}>
      <span>
        <strong className="num">{artist.base_rate === 0 ? "Price on request" : `${say(deposit)} deposit`}</strong>
        <br />
        <span className="small quiet">{barWords(date, answer)}</span>
      </span>
      {children}
    </div>
  );
}

function barWords(date: string, answer: DateAnswer): string {
  const day = dayAndMonth(date);
  if (answer.state === "none") return "choose a date";
  if (answer.state === "free") return `${day} is free`;
  if (answer.state === "hold") return `${day} is on hold`;
  return answer.state === "booked" ? `${day} is taken` : `${day} cannot be booked`;
}
