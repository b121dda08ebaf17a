import type { ReactNode } from "react";
import type { ArtistProfile } from "#artists/api.ts";
import { answerHours, balanceDueDays, policyNamed } from "#bookings/rules.ts";
import { type FeeStep, feeSteps } from "#bookings/rules/cancellation/fee-steps.rules.ts";
import { coolingOffStart } from "#bookings/rules/cancellation/policy-text.rules.ts";
import { defaultCurrency, chargeable, isCurrency, splitPrice } from "#payments/rules.ts";
import { formatMoney, formatPercent } from "#platform/money.rules.ts";
import { policyTitles } from "#settings/policy-names.rules.ts";
import { formatDayAndMonth } from "../../lib/format/dates.ts";
import { useSite } from "../../lib/site.ts";
import { todayIn } from "../../ui/date-field/day-limits.ts";
import { DetailRow } from "../../ui/detail-row.tsx";
import { GenreAndLocation, Poster } from "../artist-card.tsx";
import { LossList, PolicyTerms } from "../policy-terms.tsx";
import { type ChoicesProps, DateAnswer, isRefused } from "./date-availability.tsx";
import { StepList } from "./step-list.tsx";
import type { Check } from "./use-date-check.ts";
import shared from "../programme.module.css";
import styles from "./booking.module.css";

type Props = {
  artist: ArtistProfile;
  date: string;
  check: Check | undefined;
  failed: string | undefined;
  children: ReactNode;
};

/** Returns the price in cents: the server's, and before its response an estimate by the same rule. */
function usePrice(artist: ArtistProfile, check: Check | undefined) {
  const platformPercent = useSite()?.depositPercent ?? 0;
  const percent = artist.requires_deposit ? platformPercent : 0;
  const formatCents = (cents: number) => formatMoney(cents, check?.price.currency ?? artist.currency);
  if (check) {
    const { fee_cents: fee, deposit_cents: deposit, balance_cents: balance, deposit_percent } = check.price;
    const due = check.date.state === "incomplete" ? undefined : check.price.balance_due;
    return { fee, deposit, balance, percent: deposit_percent, due, formatCents };
  }
  const currency = isCurrency(artist.currency) ? artist.currency : defaultCurrency;
  const fee = chargeable(artist.base_rate, currency);
  return { fee, ...splitPrice(fee, percent, currency), percent, due: undefined, formatCents };
}

export function PricePanel({
  artist,
  date,
  check,
  failed,
  isResultAtDate,
  onChoose,
  children,
}: Props & { isResultAtDate: boolean } & Pick<ChoicesProps, "onChoose">) {
  return (
    <div className={`sheet ${shared.pad} ${shared.stack}`}>
      <div className={styles.who}>
        <Poster artist={artist} eager />
        <div>
          <h2>{artist.name}</h2>
          <div className="small quiet">
            <GenreAndLocation artist={artist} />
          </div>
        </div>
      </div>
      <div aria-live="polite" className={shared.stack}>
        {isResultAtDate || check?.date.state === "own_hold" ? null : (
          <DateAnswer artist={artist} date={date} check={check} failed={failed} onChoose={onChoose} />
        )}
        {check?.travel ? <FarAway artist={artist} travel={check.travel} /> : null}
        <Price artist={artist} date={date} check={check} />
      </div>
      {children}
    </div>
  );
}

/** A venue outside the artist's travel radius gets a note. The form stays enabled. */
const FarAway = ({ artist, travel }: { artist: ArtistProfile; travel: NonNullable<Check["travel"]> }) => (
  <p className="note gold">
    <strong>
      The venue is about {travel.miles.toLocaleString("en-US")} miles from where {artist.name} lives.
    </strong>{" "}
    They travel up to {travel.radius} {travel.radius === 1 ? "mile" : "miles"}; you can still send a request.
  </p>
);

function Price({ artist, date, check }: Pick<Props, "artist" | "date" | "check">) {
  const price = usePrice(artist, check);
  const { percent, fee, deposit, balance, due, formatCents } = price;
  if (fee === 0) return <OnRequest artist={artist.name} now={formatCents(0)} />;
  const free = check?.date.state === "free";
  const impossible = check !== undefined && isRefused(check.date.state);
  return (
    <>
      <dl className={`${shared.lines} num`}>
        <div>
          <dt>{artist.name}, base rate</dt>
          <dd>{formatCents(fee)}</dd>
        </div>
        <div className={shared.sum}>
          <dt>You pay in all</dt>
          <dd>{formatCents(fee)}</dd>
        </div>
      </dl>
      <p className={`small quiet ${styles.near}`}>No fees on top.</p>
      {impossible ? null : (
        <dl className={`${shared.lines} ${shared.heavy} num`}>
          <div className={shared.sum}>
            <dt>{percent > 0 ? `Deposit now (${formatPercent(percent)})` : "To pay now"}</dt>
            <dd>{formatCents(deposit)}</dd>
          </div>
          {balance > 0 ? <DetailRow label={balanceLabel(due)}>{formatCents(balance)}</DetailRow> : null}
        </dl>
      )}
      {percent === 0 && !impossible && check?.checkout !== "payments_not_set_up" ? (
        <p className="note">
          <strong>No deposit: the artist answers within {answerHours} hours.</strong> Nothing is charged, and the date
          is not held until {artist.name} accepts. Then the contract follows, and the whole price is the balance.
        </p>
      ) : null}
      {check?.checkout === "payments_not_set_up" ? (
        <p className="note gold">
          Payments are not set up here yet. You can send your request. Nothing is charged, and {artist.name} answers by
          email.
        </p>
      ) : null}
      {free && date ? (
        <IfYouCancel price={price} date={date} check={check} />
      ) : (
        <CancelTerms isShort={impossible}>
          <PolicyTerms artist={artist} isShort={impossible} />
        </CancelTerms>
      )}
    </>
  );
}

/** `due` is a date, null if due immediately, undefined without a date. */
function balanceLabel(due: string | null | undefined): string {
  if (due === undefined) return `Balance, ${balanceDueDays} days before`;
  return due === null ? "Balance, once signed" : `Balance, due ${formatDayAndMonth(due)}`;
}

type PriceFigures = ReturnType<typeof usePrice>;

function IfYouCancel({ price, date, check }: Readonly<{ price: PriceFigures; date: string; check: Check }>) {
  const { fee, deposit, balance, formatCents } = price;
  const policy = policyNamed(check.price.policy_name);
  const steps = feeSteps(policy, { fee, deposit, balance }, { date, today: todayIn(check.date.time_zone) });
  const refund = `Within ${policy.coolingOff.hours} hours of ${coolingOffStart(deposit > 0)}`;
  return (
    <CancelTerms>
      <div className={styles.curve} aria-hidden>
        {steps.map((step) => (
          <i key={step.until ?? "end"} data-share={shareOfFee(step, fee)} style={{ flexGrow: step.days }} />
        ))}
      </div>
      <LossList
        rows={[
          ...(steps.some((step) => step.coolingOff) ? [{ time: refund, lost: formatCents(0) }] : []),
          ...steps.map((step) => ({ time: periodOf(step, steps), lost: formatCents(step.fee) })),
        ]}
      >
        {policyTitles[policy.name]} cancellation policy. You never lose more than you have paid by then.
      </LossList>
    </CancelTerms>
  );
}

function periodOf({ until }: FeeStep, steps: readonly FeeStep[]): string {
  if (until) return `Until ${formatDayAndMonth(until)}`;
  return steps.length === 1 ? "At any other time" : "Later";
}

const CancelTerms = ({ isShort = false, children }: { isShort?: boolean; children: ReactNode }) => (
  <div className={styles.terms} data-short={isShort || undefined}>
    <h3>If you cancel, you lose</h3>
    {children}
  </div>
);

const shareOfFee = (step: FeeStep, fee: number) => Math.ceil((step.fee / Math.max(fee, 1)) * 4);

function OnRequest({ artist, now }: { artist: string; now: string }) {
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
      <div>
        <h3>What happens next</h3>
        <StepList
          steps={[
            { text: `${artist} sees your request` },
            { text: `${artist} answers by email, to the address you give` },
            { text: "Nothing is paid, and the date is not held" },
          ]}
        />
      </div>
    </>
  );
}

export function PhoneBar({ artist, date, check, isCurrent, children }: Omit<Props, "failed"> & { isCurrent: boolean }) {
  const { fee, deposit, formatCents } = usePrice(artist, check);
  const toPay = deposit === 0 ? "No deposit" : `${formatCents(deposit)} deposit`;
  const current = isCurrent ? check : undefined;
  return (
    <div className={shared.bar}>
      <span>
        <strong className="num">
          {current && isRefused(current.date.state) ? "Not available" : fee === 0 ? "Price on request" : toPay}
        </strong>
        <br />
        <span className="small quiet">{describeDateState(date, current)}</span>
      </span>
      {children}
    </div>
  );
}

function describeDateState(date: string, check: Check | undefined): string {
  if (!date) return "choose a date";
  const state = check?.date.state ?? "incomplete";
  if (state === "incomplete") return formatDayAndMonth(date);
  if (state === "kind_declined") return "not this kind of event";
  return `${formatDayAndMonth(date)} ${stateLabels[state]}`;
}

const stateLabels = {
  free: "is free",
  own_hold: "is held for you",
  own_booking: "is booked by you",
  held: "is on hold",
  taken: "is taken",
  too_soon: "cannot be booked",
  too_far: "is too far ahead",
  closed: "is not played",
  invalid_time: "has no such time",
  held_elsewhere: "is held for you elsewhere",
  too_many_holds: "cannot be held now",
  held_before: "cannot be held again yet",
} as const;
