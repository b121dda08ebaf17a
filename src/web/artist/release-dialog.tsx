/** The dialog that frees a date which somebody holds by standing at the checkout. */
import { Modal } from "@mantine/core";
import { useReleaseHold } from "../lib/api/booking-lists.ts";
import { formatDay } from "../lib/format/dates.ts";
import { apiErrorOf } from "../lib/api/api-error.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toaster.tsx";
import styles from "../dashboard/dialog.module.css";

/** What the dialog says about a held date. */
export type HeldBooking = Readonly<{ id: string; event_date: string; promoter_name: string }>;

/** Says what releasing does, and does it on request. */
export function ReleaseDialog({ booking, onClose }: Readonly<{ booking: HeldBooking | undefined; onClose(): void }>) {
  const release = useReleaseHold();
  const go = async () => {
    if (!booking) return;
    try {
      const { released } = await release.mutateAsync({ id: booking.id });
      const day = formatDay(booking.event_date);
      if (released) toast({ title: "Hold released", text: `${day} is free again.` });
      else toast({ title: "Nothing to release", text: `The hold on ${day} had already ended.` });
    } catch (error) {
      toast({ tone: "error", title: "Error", text: apiErrorOf(error).message });
    }
    onClose();
  };
  return (
    <Modal opened={booking !== undefined} onClose={onClose} title="Release this date">
      <p>
        {booking ? `${booking.promoter_name} is at the checkout for ${formatDay(booking.event_date)}. ` : null}
        Releasing ends the checkout; a payment that arrives later goes back in full.
      </p>
      <div className={styles.acts}>
        <Button tone="line" onClick={onClose} data-autofocus>
          Keep the hold
        </Button>
        <Button busy={release.isPending} busyLabel="Releasing..." onClick={() => void go()}>
          Release
        </Button>
      </div>
    </Modal>
  );
}
