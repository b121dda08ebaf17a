import { Lock } from "lucide-react";
import { TodayLink } from "../../booking/calendar/view-switch.tsx";
import { Button } from "../../ui/button.tsx";
import { openAddHold } from "./add-hold.tsx";
import { openBlockNights, type SuggestedNights } from "./block-nights.tsx";
import { firstForHold, type NightData } from "./night-status.ts";

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
