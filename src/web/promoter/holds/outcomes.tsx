import { formatMoney } from "#platform/money.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { currentTime } from "../../lib/clock.ts";
import type { Hold } from "../../lib/api/promoter/holds.ts";
import styles from "./holds.module.css";
import { formatMoment } from "../../lib/format/dates.ts";

export function Outcomes({ hold, day, rank }: Readonly<{ hold: Hold; day: string; rank: number }>) {
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
        <div>
          <dt>Next {hours} hours</dt>
          <dd>
            {amount ? "They can pay the deposit and keep the night." : "They can book the night."}{" "}
            {rank > 2 ? "The first hold can at once, each one behind it a share of the time later. " : ""}We email those
            with an account here now.
          </dd>
        </div>
        <div>
          <dt>{amount ? "If they pay" : "If they book"}</dt>
          <dd>The night is theirs. Your hold ends, and you pay nothing.</dd>
        </div>
        <div>
          <dt>If they don’t</dt>
          <dd>
            You move up to first on {decides}, and have 24 hours to {amount ? `pay ${amount}` : "book"}.
          </dd>
        </div>
        <div>
          <dt>If you don’t then</dt>
          <dd>You lose the night, and the next hold moves up.</dd>
        </div>
      </dl>
    </>
  );
}
