import { CalendarCheck, CalendarX, ListPlus, Lock } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { TodayLink } from "../../booking/calendar/view-switch.tsx";
import { apiErrorOf } from "../../lib/api-error.ts";
import { useOpenNights } from "../../lib/api/artist/calendar.ts";
import { addDays, daysBetween, formatNight } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { openAddHold } from "./add-hold.tsx";
import { openBlockNights, type SuggestedNights } from "./block-nights.tsx";
import { canAddHold, canBlock, firstForHold, type NightData, stateOfNight } from "./night-status.ts";

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
