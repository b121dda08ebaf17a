import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { Check } from "lucide-react";
import { useState } from "react";
import { useNavigate, Link } from "react-router";
import type { ArtistProfile } from "#artists/api.ts";
import { priceFrom } from "#artists/rules.ts";
import { eventKindOf, eventTypes, maxLengths } from "#bookings/rules.ts";
import { holdRules } from "#calendar/queue.rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { useApiForm } from "../../dashboard/forms/api-form.tsx";
import { EmptyList, ListFailed } from "../../dashboard/lists/list-states.tsx";
import { PageHead } from "../../dashboard/page-head.tsx";
import { SectionLoading } from "../../dashboard/section-failed.tsx";
import { apiErrorOf } from "../../lib/api-error.ts";
import { useHoldArtist, useOwnHolds, type Hold, usePlaceHold } from "../../lib/api/promoter/holds.ts";
import { announce } from "../../lib/browser/announce.ts";
import { currentTime } from "../../lib/clock.ts";
import { isDay, formatDay, formatMoment } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { LinkButton, Button } from "../../ui/button.tsx";
import DayCalendar from "../../ui/date-field/day-calendar.tsx";
import { type ArtistDates, artistLimits } from "../../ui/date-field/day-limits.ts";
import { DetailRow } from "../../ui/detail-row.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import type { Route } from "./+types/new-hold-page.ts";
import styles from "./holds.module.css";

export const meta: Route.MetaFunction = () => [{ title: "Hold nights: Promoter Dashboard" }];

export default function NewHoldPage({ params }: Route.ComponentProps) {
  const artist = useHoldArtist(params.slug);
  // The form may not read them itself: after a failure each mount would request them again.
  const holds = useOwnHolds();
  const navigate = useNavigate();
  const { night = "" } = params;
  return (
    <>
      <PageHead title={artist.data ? `Hold nights with ${artist.data.name}` : "Hold nights"}>
        <p>Choose up to three nights. We keep them for you while you decide.</p>
      </PageHead>
      {artist.error && apiErrorOf(artist.error).status === 404 ? (
        <EmptyList title="Artist not found" text="The profile may have been closed, or the address is mistyped.">
          <LinkButton to={paths.browse()}>Browse Artists</LinkButton>
        </EmptyList>
      ) : artist.error ? (
        <ListFailed what="The artist" query={artist} />
      ) : !artist.data || holds.isPending ? (
        <SectionLoading title="Nights" lines={8} />
      ) : artist.data.hold_days === null ? (
        <EmptyList title="No holds here" text={`${artist.data.name} takes no holds. You can still request a date.`}>
          <LinkButton to={paths.book(params.slug)}>Request a date</LinkButton>
        </EmptyList>
      ) : (
        <NewHoldForm
          artist={artist.data}
          holdDays={artist.data.hold_days}
          ownHolds={holds.data?.items ?? []}
          night={isDay(night) ? night : undefined}
          onPlaced={() => void navigate(paths.promoterArea.holds)}
        />
      )}
    </>
  );
}

type Act = ArtistDates &
  Pick<ArtistProfile, "slug" | "name" | "base_rate" | "currency" | "price_confirmed" | "declined_kinds">;

type Props = Readonly<{
  artist: Act;
  holdDays: number;
  ownHolds: readonly Hold[];
  night: string | undefined;
  onPlaced(): void;
}>;

const nightsText = (count: number) => (count === 1 ? "1 night" : `${count} nights`);

const rulesOf = (holdDays: number) => [
  "Book one night, and we release the others.",
  "If a promoter behind you is ready to book, you must book first or lose the night. We email you.",
  `${holdDays * 24 >= holdRules.reminder.minHours ? "We remind you a day before a hold ends. " : ""}After it has ended, you can hold the same night again ${holdRules.againDays} days later.`,
  `Release a hold whenever you like. If it was the first, you can hold that night again ${holdRules.againDays} days later.`,
];

export function NewHoldForm({ artist, holdDays, ownHolds, night, onPlaced }: Props) {
  const heldNights = new Map(
    ownHolds
      .filter((hold) => hold.artist.slug === artist.slug)
      .flatMap(({ id, nights: all }) => all.flatMap((one) => (one.state === "active" ? [[one.night, id]] : []))),
  );
  const own = [...heldNights.keys()].map((date) => ({ date, state: "hold" as const }));
  const limits = artistLimits({ ...artist, taken: [...artist.taken, ...own] });
  const canHold = (day: string) => ["free", "hold"].includes(limits.stateOf(day));
  const [chosen, setNights] = useState(night && canHold(night) ? [night] : []);
  // The promoter's holds may load, or change in another tab, after the choice.
  const nights = chosen.filter((day) => !heldNights.has(day));
  const [message, setMessage] = useState<string>();
  const [pressed, setPressed] = useState(night);
  const place = usePlaceHold();
  const types = eventTypes.filter((type) => {
    const kind = eventKindOf(type);
    return kind === undefined || !artist.declined_kinds.includes(kind);
  });
  const form = useApiForm({
    initialValues: { eventLocation: "", eventTime: "", eventType: "", note: "" },
    validate: {
      eventLocation: (value) => (value ? undefined : "Enter the venue and the town."),
      eventTime: (value) => (/^\d\d:\d\d$/.test(value) ? undefined : "Enter the time at which the set starts."),
      eventType: (value) => (value ? undefined : "Choose an event type."),
    },
    send: async (values) => {
      await place.mutateAsync({ artistId: artist.slug, nights, ...values });
      toast({ title: `${nightsText(nights.length)} on hold`, text: artist.name });
      onPlaced();
    },
  });
  const heldBy = pressed && heldNights.get(pressed);
  const choose = (day: string) => {
    setPressed(day);
    if (heldNights.has(day)) return;
    const isChosen = nights.includes(day);
    const problem =
      !isChosen && nights.length >= holdRules.maxNights
        ? `A hold has at most ${holdRules.maxNights} nights. Remove one to choose another.`
        : undefined;
    setMessage(problem);
    // The same text again is no change that a screen reader would read.
    if (problem && problem === message) announce(problem);
    if (isChosen) setNights(nights.filter((one) => one !== day));
    else if (!problem) setNights([...nights, day].toSorted());
  };
  const until = formatMoment(new Date(currentTime().getTime() + holdDays * dayMs));
  return (
    <form className={styles.form} {...form.props}>
      <div>
        <section className={styles.part}>
          <h2>Nights</h2>
          <DayCalendar limitsOf={() => limits} chosen={nights} withHolds onChoose={choose} heading="h3" />
          <p role="status" className="small">
            {heldBy ? (
              <>
                {formatDay(pressed)}: You hold this night already.{" "}
                <Link to={paths.promoterArea.hold(heldBy)}>View hold</Link>
              </>
            ) : (
              message
            )}
          </p>
          <ol className={styles.nights}>
            {nights.map((day) => (
              <li key={day}>
                <div className={styles.text}>
                  <strong>{formatDay(day)}</strong>
                  <span>
                    {limits.stateOf(day) === "hold"
                      ? "On hold for another promoter. You join the queue behind them, and move up when they release it."
                      : "Free. You would be first."}
                  </span>
                </div>
                <Button size="sm" tone="line" aria-label={`Remove ${formatDay(day)}`} onClick={() => choose(day)}>
                  Remove
                </Button>
              </li>
            ))}
          </ol>
        </section>
        <section className={styles.part}>
          <h2>Your event</h2>
          <div className={styles.fields}>
            <TextInput
              className={styles.wide}
              label="Venue and town"
              maxLength={maxLengths.eventLocation}
              autoComplete="off"
              {...form.field("eventLocation")}
            />
            <TextInput label="Set starts at" type="time" {...form.field("eventTime")} />
            <NativeSelect
              label="Event type"
              data={[{ value: "", label: "Choose one", disabled: true }, ...types]}
              {...form.field("eventType")}
            />
            <Textarea
              className={styles.wide}
              label={`Note to ${artist.name} (optional)`}
              rows={3}
              maxLength={2000}
              {...form.field("note")}
            />
          </div>
        </section>
      </div>
      <div className={styles.side}>
        <aside className={styles.summary} aria-label="Summary">
          <h2>{nights.length === 0 ? "No night selected" : `${nightsText(nights.length)} selected`}</h2>
          <p className="small quiet">
            {artist.name}. {priceFrom(artist)}.
          </p>
          <dl>
            <DetailRow label="Holds run until">{until}</DetailRow>
            <DetailRow label="To pay now">{formatMoney(0, artist.currency)}</DetailRow>
          </dl>
          <ul className={styles.rules}>
            {rulesOf(holdDays).map((rule) => (
              <li key={rule}>
                <Check size={18} strokeWidth={1.6} aria-hidden />
                <span>{rule}</span>
              </li>
            ))}
          </ul>
        </aside>
        <div className={styles.send}>
          <ErrorNote message={form.error} />
          <Button type="submit" wide disabled={nights.length === 0} busy={form.busy} busyLabel="Placing…">
            {nights.length === 0 ? "Hold nights" : `Hold ${nightsText(nights.length)}`}
          </Button>
        </div>
      </div>
    </form>
  );
}
