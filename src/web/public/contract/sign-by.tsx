import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { formatDeadline } from "../../lib/format/dates.ts";
import { timeLeft } from "../../lib/format/time-left.ts";

/** The server knows neither the viewer's time zone nor their time, so it leaves the place empty. */
export const SignBy = ({ end }: Readonly<{ end: string }>) =>
  useHydrated() ? (
    <>
      <b>{timeLeft(end)}.</b> Sign by {formatDeadline(end)}.
    </>
  ) : (
    <span style={{ visibility: "hidden" }}>10 hours. Sign by tomorrow 00:00, your time.</span>
  );
