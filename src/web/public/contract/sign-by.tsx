import { formatDeadline } from "../../lib/format/dates.ts";
import { timeLeft } from "../../lib/format/time-left.ts";

export const SignBy = ({ end }: Readonly<{ end: string }>) => (
  <>
    <b>{timeLeft(end)}.</b> Sign by {formatDeadline(end)}.
  </>
);
