import { releasedToast, releaseHoldText } from "../../booking/actions/confirmation-text.ts";
import { ConfirmButton } from "../../booking/plain-dialog.tsx";
import { errorToast } from "../../lib/attempt.ts";
import { goToAddress } from "../../lib/browser/leave-site.ts";
import { useBusy } from "../../lib/browser/use-busy.ts";
import { formatDay, formatDeadline } from "../../lib/format/dates.ts";
import { closeErrors, toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import type { Check } from "./use-date-check.ts";
import shared from "../programme.module.css";
import styles from "./booking.module.css";

type BrowserApi = typeof import("../../lib/api/browser-api.ts").browserApi;
export type OwnHold = NonNullable<Check["own_hold"]>;

type Props = Readonly<{ artist: string; hold: OwnHold; onChanged(isReleased: boolean): void }>;

export function OwnHoldNotice({ artist, hold, onChanged }: Props) {
  const [busy, setBusy] = useBusy<"pay" | "release" | undefined>(undefined);
  const action = async (what: "pay" | "release", work: (api: BrowserApi["bookings"]) => Promise<void>) => {
    setBusy(what);
    closeErrors();
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      await work(browserApi.bookings);
    } catch (error) {
      errorToast()(error);
      setBusy(undefined);
      onChanged(false);
    }
  };
  const pay = () =>
    action("pay", async (bookings) => {
      const { checkout_url: checkout } = await bookings.createContractAndCheckout({ booking_id: hold.booking_id });
      if (checkout) return goToAddress(checkout);
      setBusy(undefined);
      onChanged(false);
    });
  const released = { open: hold.open, staysOnHold: hold.stays_on_hold };
  const releaseHold = () =>
    action("release", async (bookings) => {
      await bookings.releaseOwnHold({ id: hold.booking_id });
      toast(releasedToast(released));
      onChanged(true);
    });
  const day = formatDay(hold.event_date);
  return (
    <section className={`sheet ${shared.pad} ${styles.own}`} aria-label="Your open checkout">
      <div>
        <h2>{hold.open ? `You are holding ${day}` : `Your checkout for ${day} has ended`}</h2>
        <p>
          {hold.open
            ? `${hold.event_time}, ${hold.venue_name}. Your checkout stays open until ${formatDeadline(hold.open_until)}. The date is yours once the deposit is paid.`
            : `${hold.event_time}, ${hold.venue_name}. Nothing was charged. ${hold.stays_on_hold ? "Your hold of the night stays." : "The date is available again in a few minutes, or as soon as you release the hold."}`}
        </p>
      </div>
      <div className={`${shared.actions} ${styles.ownActions}`}>
        {hold.open ? (
          <Button busy={busy === "pay"} busyLabel="Opening..." disabled={busy === "release"} onClick={() => void pay()}>
            Continue to payment
          </Button>
        ) : null}
        <ConfirmButton
          label="Release hold"
          tone="line"
          text={releaseHoldText(artist, hold.event_date, released)}
          cancel="Keep hold"
          confirm="Release hold"
          danger
          busyLabel="Releasing..."
          disabled={busy === "pay"}
          onConfirm={releaseHold}
        />
      </div>
    </section>
  );
}
