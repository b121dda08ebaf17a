import { Link } from "react-router";
import { rankName } from "#calendar/queue.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { formatDay, formatDeadline } from "../../lib/format/dates.ts";
import type { BookingResponse } from "../progress.ts";
import { DetailRow } from "./detail-row.tsx";

type Holds = NonNullable<BookingResponse["holds"]>;

export function HoldRows({ booking: { holds, viewer } }: Readonly<{ booking: BookingResponse }>) {
  if (!holds) return null;
  const { from, queue, night } = holds;
  return (
    <>
      {from ? (
        <DetailRow label="Hold">
          {describeHold(from)}
          {from.released_nights.length > 0 ? (
            <small>
              Released with it: {from.released_nights.map((day) => formatDay(day, { short: true })).join(", ")}
            </small>
          ) : null}
          {from.ended_others > 0 ? (
            <small>
              {from.ended_others === 1
                ? "1 hold of another promoter ended"
                : `${from.ended_others} holds of other promoters ended`}
            </small>
          ) : null}
        </DetailRow>
      ) : null}
      {queue.length > 0 ? (
        <DetailRow label={from ? "Also on hold" : "On hold"}>
          {queue.map((hold) => (
            <small key={hold.rank}>
              {hold.rank}. {hold.promoter_name}, until {formatDeadline(hold.until)}
            </small>
          ))}
          {viewer === "artist" ? (
            <small>
              <Link to={paths.artistArea.heldNight(night)}>View night</Link>
            </small>
          ) : null}
        </DetailRow>
      ) : null}
    </>
  );
}

const endings: Readonly<Record<Exclude<NonNullable<Holds["from"]>["state"], "active">, string>> = {
  booked: "booked",
  released: "released",
  expired: "expired",
  lost: "lost",
  superseded: "another booking has the night",
};

function describeHold({ rank, state, until }: NonNullable<Holds["from"]>): string {
  const name = rank === null ? "Hold" : `${rankName(rank)} hold`;
  const end = state === "active" ? `until ${formatDeadline(until)}` : endings[state];
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}, ${end}`;
}
