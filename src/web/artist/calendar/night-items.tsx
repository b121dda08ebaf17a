import { CalendarCheck, CalendarX, ListPlus, Lock } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { TodayLink } from "../../booking/calendar/view-switch.tsx";
import { apiErrorOf } from "../../lib/api-error.ts";
import { useOpenNights, type ArtistCalendar } from "../../lib/api/artist-calendar.ts";
import { addDays, daysBetween, formatNight, formatDay } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { openAddHold } from "./add-hold.tsx";
import { openBlockNights, type SuggestedNights } from "./block-nights.tsx";

export type Nights = Readonly<{ from: string; to: string }>;
type Item = ComponentType<{ onClick(): void; children: ReactNode; leftSection?: ReactNode }>;
type Props = Readonly<{
  nights: Nights;
  /** In the artist's time zone. */
  today: string;
  data: NightData;
  item: Item;
  onDone?(): void;
}>;

export function NightItems({ nights, today, data, item: Item, onDone }: Props) {
  const { to } = nights;
  const [, from = to] = [nights.from, today].toSorted();
  const open = useOpenOrBlockNights();
  if (to < from) return <span>This night has passed.</span>;
  const all = Array.from({ length: daysBetween(from, to) + 1 }, (_, at) => addDays(from, at));
  const closed = all.filter((night) => data.closed.includes(night));
  const opened = all.filter((night) => !data.closed.includes(night));
  const only = all.length === 1 ? stateOfNight(data, from) : undefined;
  const count = all.length === 1 ? "night" : `${all.length} nights`;
  const run = (what: () => void) => () => {
    what();
    onDone?.();
  };
  return (
    <>
      {canBlock(only) ? (
        <Item
          leftSection={<Lock size={16} aria-hidden />}
          onClick={() =>
            openBlockNights({ from, to, today, nightEndsAt: data.night_ends_at, ...(onDone ? { onDone } : {}) })
          }
        >
          Block {count}
        </Item>
      ) : null}
      {closed.length > 0 ? (
        <Item leftSection={<CalendarCheck size={16} aria-hidden />} onClick={run(() => void open(closed, true))}>
          Open to requests
        </Item>
      ) : null}
      {opened.length > 0 ? (
        <Item leftSection={<CalendarX size={16} aria-hidden />} onClick={run(() => void open(opened, false))}>
          Close to requests
        </Item>
      ) : null}
      {canAddHold(only) ? (
        <Item
          leftSection={<ListPlus size={16} aria-hidden />}
          onClick={run(() => openAddHold({ night: from, timeZone: data.time_zone }))}
        >
          Add hold
        </Item>
      ) : null}
    </>
  );
}

export function useOpenOrBlockNights() {
  const save = useOpenNights();
  return async function change(nights: string[], open: boolean, isUndo = false): Promise<void> {
    try {
      await save.mutateAsync({ nights, open });
    } catch (error) {
      toast({ tone: "error", title: "Not saved", text: apiErrorOf(error).message });
      return;
    }
    toast({
      title: open ? "Open to requests" : "Closed to requests",
      text: nights.length === 1 ? formatNight(nights[0] ?? "") : `${nights.length} nights`,
      ...(isUndo ? {} : { action: { label: "Undo", run: () => void change(nights, !open, true) } }),
    });
  };
}

export type NightData = Pick<
  ArtistCalendar,
  "nights" | "closed" | "exceptions" | "bookable" | "night_ends_at" | "time_zone"
>;

type NightState = ArtistCalendar["nights"][number]["state"];

export const stateOfNight = ({ nights }: Pick<NightData, "nights">, night: string): NightState | undefined =>
  nights.find((one) => one.night === night)?.state;

export const canAddHold = (state: NightState | undefined): boolean => state === "free" || state === "on_hold";

const canBlock = (state: NightState | undefined): boolean =>
  state !== "past" && state !== "booked" && state !== "at_checkout";

const firstForHold = ({ nights }: Pick<NightData, "nights">, from: string): string =>
  nights.find(({ night, state }) => night >= from && canAddHold(state))?.night ?? "";

/** Returns `closedLabel` for a closed night, and a label for one that is open although its weekday is closed. Otherwise empty. */
export function labelOfNight(
  { closed, exceptions }: Pick<NightData, "closed" | "exceptions">,
  night: string,
  closedLabel: string,
): string {
  if (closed.includes(night)) return closedLabel;
  return exceptions.includes(night) ? "Open this time" : "";
}

export function describeNight({ bookable }: Pick<NightData, "bookable">, state: NightState): string {
  switch (state) {
    case "free":
      return "No holds. Every promoter can request this night.";
    case "past":
      return "This night has passed.";
    case "begun":
      return "This night has begun. Promoters can request it only for a later time.";
    case "too_soon":
      return `This night is too soon to be requested. The first possible night is ${formatDay(bookable.first)}.`;
    case "too_far":
      return `This night is too far ahead to be requested. The last possible night is ${formatDay(bookable.last)}.`;
    case "closed":
      return "This night is closed to requests.";
    case "blocked":
      return "You blocked this night. No promoter can request it.";
    case "external":
      return "You are busy in another calendar. Promoters can request only a time that is free.";
    case "booked":
      return "No other promoter can book the time of this show, or the travel and set-up time around it.";
    case "at_checkout":
      return "A promoter is at the checkout. No other promoter can book that time.";
    case "on_hold":
      return "This night is on hold.";
  }
}

type Suggested = Readonly<{ nights: Omit<SuggestedNights, "nightEndsAt">; data: NightData }>;

/** `suggested` is for the forms, undefined while loading. */
export const CalendarButtons = ({
  toToday,
  suggested,
}: Readonly<{ toToday: string; suggested: Suggested | undefined }>) => (
  <>
    <TodayLink to={toToday} />
    <Button
      tone="line"
      size="sm"
      disabled={!suggested}
      onClick={() => suggested && openBlockNights({ ...suggested.nights, nightEndsAt: suggested.data.night_ends_at })}
    >
      <Lock size={16} aria-hidden /> Block nights
    </Button>
    <Button
      tone="line"
      size="sm"
      disabled={!suggested}
      onClick={() =>
        suggested &&
        openAddHold({
          night: firstForHold(suggested.data, suggested.nights.from),
          timeZone: suggested.data.time_zone,
        })
      }
    >
      Add hold
    </Button>
  </>
);
