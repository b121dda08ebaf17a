import { Lock } from "lucide-react";
import { Link } from "react-router";
import { Button, buttonClass } from "../../ui/button.tsx";
import { openAddHold } from "./add-hold.tsx";
import { openBlockNights, type SuggestedNights } from "./block-nights.tsx";

/** The buttons beside the title of month and week. `nights` are the forms' suggestion, undefined while loading. */
export const CalendarButtons = ({
  today,
  nights,
}: Readonly<{ today: string; nights: SuggestedNights | undefined }>) => (
  <>
    <Link className={buttonClass({ tone: "line", size: "sm" })} to={today} preventScrollReset>
      Today
    </Link>
    <Button tone="line" size="sm" disabled={!nights} onClick={() => nights && openBlockNights(nights)}>
      <Lock size={16} aria-hidden /> Block nights
    </Button>
    <Button tone="line" size="sm" disabled={!nights} onClick={() => nights && openAddHold(nights.from)}>
      Add hold
    </Button>
  </>
);
