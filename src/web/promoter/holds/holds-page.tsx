import { Menu } from "@mantine/core";
import { Link, useNavigate } from "react-router";
import { posterUrl } from "#artists/rules.ts";
import { holdRules, rankName } from "#calendar/queue.rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { dayMs, hourMs } from "#platform/time/durations.rules.ts";
import { openConfirmation } from "../../dashboard/dialogs/confirmation.tsx";
import { ActionsMenu, DestructiveItem, MenuLink } from "../../dashboard/lists/list-cells.tsx";
import { EmptyList, ListFailed } from "../../dashboard/lists/list-states.tsx";
import { PageHead } from "../../dashboard/page-head.tsx";
import { SectionLoading, Loaded } from "../../dashboard/section-failed.tsx";
import { type Hold, type HoldNight, useHoldActions, useOwnHolds } from "../../lib/api/promoter/holds.ts";
import { errorToast } from "../../lib/attempt.ts";
import { goToAddress } from "../../lib/browser/leave-site.ts";
import { currentTime } from "../../lib/clock.ts";
import { formatDay, localToday, formatDayAndMonth, formatMoment } from "../../lib/format/dates.ts";
import { timeLeft } from "../../lib/format/time-left.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import { byDeadline, canHoldAgain, deadlineOf, describeHold, isDepositRequested, mustPayNow } from "./hold-text.ts";
import entries from "../../booking/calendar/hold-entries.module.css";
import styles from "./holds.module.css";

export const meta = () => [{ title: "Holds: Promoter Dashboard" }];

export default function HoldsPage() {
  const holds = useOwnHolds();
  return (
    <>
      <PageHead title="Holds">
        <p>A hold keeps a night for you while you decide. It costs nothing. Deadlines are in your time zone.</p>
      </PageHead>
      <Loaded query={holds} what="Your holds" Failed={ListFailed} loading={<SectionLoading title="Holds" lines={4} />}>
        {({ items }) => <HoldList holds={byDeadline(items)} />}
      </Loaded>
    </>
  );
}

function HoldList({ holds }: Readonly<{ holds: readonly Hold[] }>) {
  if (holds.length === 0)
    return (
      <EmptyList title="No holds yet" text="Open an artist's page and choose up to three nights to hold.">
        <LinkButton to={paths.browse()}>Browse Artists</LinkButton>
      </EmptyList>
    );
  return (
    <>
      {holds.map((hold) => (
        <HoldSheet key={hold.id} hold={hold} />
      ))}
      {holds.some(({ nights }) => nights.some(({ state }) => state === "active")) ? (
        <p className="small quiet">Book one night, and we release your other holds for the same event.</p>
      ) : null}
    </>
  );
}

const dayOf = ({ night }: HoldNight) => formatDay(night, { year: night.slice(0, 4) !== localToday().slice(0, 4) });

function HoldSheet({ hold }: Readonly<{ hold: Hold }>) {
  const { artist, nights } = hold;
  const release = useRelease(hold);
  const open = nights.filter(({ can }) => can.release);
  return (
    <article id={hold.id} className={styles.hold} aria-label={`${artist.name}, ${hold.event_type}`}>
      <header>
        <img src={posterUrl(artist)} width={600} height={800} alt="" loading="lazy" />
        <div>
          <h2>
            <Link to={paths.artist(artist.slug)}>{artist.name}</Link>
          </h2>
          <p>
            {hold.event_type}, {hold.event_location}. Set from {hold.event_time}.
          </p>
        </div>
        <ActionsMenu name={artist.name}>
          <MenuLink to={paths.artist(artist.slug)}>View profile</MenuLink>
          {open.length > 1
            ? open.map((night) => (
                <Menu.Item key={night.night} onClick={() => release([night])}>
                  Release {dayOf(night)}…
                </Menu.Item>
              ))
            : null}
          {open.length > 0 ? (
            <DestructiveItem
              label={open.length > 1 ? `Release ${describeNights(open)}` : "Release hold"}
              onClick={() => release(open)}
            />
          ) : null}
        </ActionsMenu>
      </header>
      <ol className={styles.nights}>
        {nights.map((night) => (
          <NightRow key={night.night} hold={hold} night={night} />
        ))}
      </ol>
    </article>
  );
}

const describeNights = ({ length }: readonly HoldNight[]) => (length === 2 ? "both nights" : `all ${length} nights`);

function describeRelease(nights: readonly HoldNight[], zone: string): string {
  const from = new Date(currentTime().getTime() + holdRules.againDays * dayMs);
  const later = nights.some(({ rank }) => rank === 1) ? `from ${formatMoment(from)}` : "later";
  const final = nights.filter(({ night, rank }) => rank === 1 && !canHoldAgain(night, from, zone));
  if (nights.length === 1)
    return `The next hold moves up, or the night is free for others. You ${final.length > 0 ? "cannot hold it again." : `can hold it again ${later} if it is still free.`}`;
  const again =
    final.length === 0
      ? `You can hold them again ${later} if they are still free.`
      : `You cannot hold ${final.length === nights.length ? "them" : final.map(dayOf).join(", ")} again.`;
  return `${nights.map(dayOf).join(", ")}. On each night, the next hold moves up or the night is free for others. ${again}`;
}

function useRelease(hold: Hold) {
  const { release } = useHoldActions();
  return (nights: readonly HoldNight[]) => {
    const days = nights.map(dayOf).join(", ");
    openConfirmation({
      title: nights.length === 1 ? `Release ${days}?` : `Release ${describeNights(nights)}?`,
      text: describeRelease(nights, hold.artist.time_zone),
      confirm: nights.length === 1 ? "Release hold" : `Release ${describeNights(nights)}`,
      busy: "Releasing…",
      cancel: "Keep hold",
      danger: true,
      onConfirm: () => release.mutateAsync({ id: hold.id, nights: nights.map(({ night }) => night) }),
      done: { title: "Released", text: `${hold.artist.name}, ${days}` },
      failed: "Not released",
    });
  };
}

function NightRow({ hold, night }: Readonly<{ hold: Hold; night: HoldNight }>) {
  const isActive = night.state === "active";
  const urgent = mustPayNow(night);
  const text = describeHold(night, {
    artist: hold.artist,
    deposit: hold.deposit ? formatMoney(hold.deposit.cents, hold.deposit.currency) : undefined,
  });
  return (
    <li data-urgent={urgent || undefined}>
      <b className={entries.rank} data-first={night.rank === 1 || undefined} data-ended={!isActive || undefined}>
        <span className="sr">{isActive ? `The ${rankName(night.rank ?? 1)} hold` : "Ended"}</span>
        <span aria-hidden>{night.rank ?? "–"}</span>
      </b>
      <div className={styles.text}>
        <strong>{dayOf(night)}</strong>
        <span>
          {text.urgent ? <b>{text.urgent} </b> : null}
          {text.text}
        </span>
      </div>
      {urgent ? <span className={styles.left}>{timeLeft(deadlineOf(night))}</span> : null}
      <NightAction hold={hold} night={night} urgent={urgent} />
    </li>
  );
}

function NightAction({ hold, night, urgent }: Readonly<{ hold: Hold; night: HoldNight; urgent: boolean }>) {
  const { challenge, book } = useHoldActions();
  const navigate = useNavigate();
  const day = dayOf(night);
  if (night.booking_id && (night.being_booked || night.state === "booked" || isDepositRequested(night)))
    return (
      <LinkButton tone="line" size="sm" to={paths.promoterArea.booking(night.booking_id)}>
        View booking
      </LinkButton>
    );
  const bookNow = () =>
    book
      .mutateAsync({ id: hold.id, night: night.night })
      .then(({ booking_id, checkout_url }) =>
        checkout_url ? goToAddress(checkout_url) : void navigate(paths.promoterArea.booking(booking_id)),
      )
      .catch(errorToast("Not booked"));
  if (night.can.book) {
    const amount = hold.deposit ? formatMoney(hold.deposit.cents, hold.deposit.currency) : "";
    return (
      <Button size="sm" tone={urgent ? "main" : "line"} busyLabel="Opening…" onClick={bookNow}>
        {amount ? (urgent ? `Pay ${amount}` : `Book, ${amount} now`) : "Book this night"}
        <span className="sr">: {day}</span>
      </Button>
    );
  }
  if (!night.can.challenge) return null;
  const openDialog = () =>
    openConfirmation({
      title: `Challenge the hold${(night.rank ?? 2) > 2 ? "s" : ""} before yours?`,
      text: <Outcomes hold={hold} day={day} rank={night.rank ?? 2} />,
      confirm: `Challenge for ${formatDayAndMonth(night.night)}`,
      busy: "Challenging…",
      cancel: "Keep waiting",
      onConfirm: () => challenge.mutateAsync({ id: hold.id, night: night.night }),
      done: { title: "Challenged", text: `The promoters before you must decide now. ${day}` },
      failed: "Not challenged",
    });
  return (
    <Button size="sm" tone="line" onClick={openDialog}>
      Challenge
      <span className="sr">: {day}</span>
    </Button>
  );
}

function Outcomes({ hold, day, rank }: Readonly<{ hold: Hold; day: string; rank: number }>) {
  const { artist, deposit, challenge_hours: hours } = hold;
  const amount = deposit ? formatMoney(deposit.cents, deposit.currency) : undefined;
  const decides = formatMoment(new Date(currentTime().getTime() + hours * hourMs));
  return (
    <>
      <p>
        For {artist.name} on {day}. You’re ready to book, so the holds before yours must decide now. You can challenge
        once for each night.
      </p>
      <dl className={styles.outcomes}>
        <DetailRow label={`Next ${hours} hours`}>
          {amount ? "They can pay the deposit and keep the night." : "They can book the night."}{" "}
          {rank > 2 ? "The first hold can do so immediately, each later hold a share of the time later. " : ""}We now
          email those with an account here.
        </DetailRow>
        <DetailRow label={amount ? "If they pay" : "If they book"}>
          The night is theirs. Your hold ends, and you pay nothing.
        </DetailRow>
        <DetailRow label="If they don’t">
          You move up to first on {decides}, and have 24 hours to {amount ? `pay ${amount}` : "book"}, at most until
          20:00 on {day}.
        </DetailRow>
        <DetailRow label="If you don’t then">You lose the night, and the next hold moves up.</DetailRow>
      </dl>
    </>
  );
}
