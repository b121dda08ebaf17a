import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import type { ArtistProfile } from "#artists/api.ts";
import { priceFrom } from "#artists/rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { LinkButton } from "../../ui/button.tsx";
import { type ArtistDates, artistLimits, type DayState } from "../../ui/date-field/day-limits.ts";
import { DetailRow } from "../../ui/detail-row.tsx";
import shared from "../programme.module.css";
import styles from "./profile.module.css";

const DayCalendar = lazy(() => import("../../ui/date-field/day-calendar.tsx"));

type CalendarProps = Readonly<{
  artist: ArtistDates & Pick<ArtistProfile, "hold_days"> & Partial<Pick<ArtistProfile, "availability_note">>;
  chosen: string | undefined;
  onChoose(date: string): void;
  children?: ReactNode;
}>;

/** The artist's dates as a calendar with one choice. The page for all visitors does not know today before hydration. */
export function Availability({ artist, chosen, onChoose, children }: CalendarProps) {
  const ready = useHydrated();
  return (
    <section id="availability" className={`${shared.part} ${styles.dates}`}>
      <h2>Availability</h2>
      <p className="small quiet">
        Notice: at least {artist.minimum_notice} {artist.minimum_notice === 1 ? "day" : "days"}
      </p>
      <div className={styles.calendar}>
        {ready ? (
          <Suspense>
            <DayCalendar
              limitsOf={() => artistLimits(artist)}
              chosen={chosen}
              withHolds={artist.hold_days !== null}
              onChoose={onChoose}
              heading="h3"
            />
          </Suspense>
        ) : null}
      </div>
      {children}
      {artist.availability_note ? <p className={`small ${styles.bio}`}>{artist.availability_note}</p> : null}
    </section>
  );
}

type Terms = ArtistDates & Pick<ArtistProfile, "slug" | "base_rate" | "currency" | "price_confirmed" | "hold_days">;

type Choice = Readonly<{ artist: Terms; chosen: string | undefined; town: string | undefined }>;

/** A chosen date, its state, and the id of the visitor's own hold. Before hydration it has no state, because the server does not know today. */
type ChosenDate = Choice & Readonly<{ state: DayState | undefined; ownHold: string | undefined }>;

const stateLabels: Readonly<Record<DayState, string>> = {
  free: "Free",
  hold: "On hold",
  booked: "Booked",
  closed: "Not played",
  off: "Cannot be booked",
};

const canQueue = ({ artist, state }: Pick<ChosenDate, "artist" | "state">) =>
  state === "hold" && artist.hold_days !== null;

export function useChosenDate<Chosen extends Choice>(choice: Chosen): Chosen & ChosenDate {
  const { artist, chosen } = choice;
  const ready = useHydrated();
  const state = ready && chosen ? artistLimits(artist).stateOf(chosen) : undefined;
  const ownHold = useOwnHold(artist.slug, canQueue({ artist, state }) ? chosen : undefined);
  return { ...choice, state, ownHold };
}

/** Returns "Sat 13 Feb", with the state of a date that is not free. */
export function describeChosenDate({ chosen, state, ownHold }: ChosenDate): string {
  const day = chosen ? formatDay(chosen, { short: true }) : "";
  if (ownHold) return `${day}, held by you`;
  return state === undefined || state === "free" ? day : `${day}, ${stateLabels[state].toLowerCase()}`;
}

export function BookPanel(choice: ChosenDate) {
  const { artist, chosen, state, ownHold } = choice;
  return (
    <section className={`sheet ${shared.pad} ${styles.panel}`}>
      <h2>Book</h2>
      <dl className={`${shared.lines} small ${styles.answer}`}>
        <DetailRow label={chosen ? formatDay(chosen) : "Date"}>
          {chosen ? (
            <strong>{ownHold ? "You hold this night" : state && stateLabels[state]}</strong>
          ) : (
            "Choose one in the calendar"
          )}
        </DetailRow>
        <div>
          <dt>Price</dt>
          <dd className="num">{priceFrom(artist)}</dd>
        </div>
      </dl>
      <NextStep wide className={styles.besideBar} {...choice} />
      <HoldNights className={styles.besideBar} {...choice} />
    </section>
  );
}

export function HoldNights({ className, ...choice }: ChosenDate & Readonly<{ className: string | undefined }>) {
  const { artist, chosen, state } = choice;
  if (artist.hold_days === null || canQueue(choice)) return null;
  const to = paths.promoterArea.newHold(artist.slug, state === "free" ? chosen : undefined);
  return (
    <LinkButton wide tone="line" className={className} to={to}>
      Hold nights
    </LinkButton>
  );
}

type NextStepProps = ChosenDate & Readonly<{ wide?: boolean; className?: string | undefined }>;

export function NextStep({ wide = false, className = "", ...choice }: NextStepProps) {
  const { artist, chosen, town, ownHold } = choice;
  const queues = canQueue(choice);
  if (ownHold)
    return (
      <LinkButton wide={wide} className={className} to={paths.promoterArea.hold(ownHold)}>
        View hold
      </LinkButton>
    );
  const to = queues ? paths.promoterArea.newHold(artist.slug, chosen) : paths.book(artist.slug, chosen, town);
  return (
    <LinkButton tone={wide && !chosen ? "line" : "main"} wide={wide} className={className} to={to}>
      {queues ? "Join the queue" : "Book Me Now"}
    </LinkButton>
  );
}

function useOwnHold(slug: string, night: string | undefined): string | undefined {
  const [held, setHeld] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (!night || document.documentElement.dataset["signedIn"] !== "") return;
    let isCurrent = true;
    // The page needs no hold, so a failure changes nothing.
    void loadOwnHolds(slug).then(
      (found) => isCurrent && setHeld(found),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [slug, night]);
  return night ? held.get(night) : undefined;
}

async function loadOwnHolds(slug: string): Promise<ReadonlyMap<string, string>> {
  const { browserApi } = await import("../../lib/api/browser-api.ts");
  const { role } = await browserApi.users.me();
  if (role !== "promoter") return new Map();
  const { items } = await browserApi.calendar.holds.mine();
  return new Map(
    items
      .filter(({ artist }) => artist.slug === slug)
      .flatMap(({ id, nights }) => nights.flatMap(({ night, state }) => (state === "active" ? [[night, id]] : []))),
  );
}
