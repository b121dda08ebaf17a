import { openConfirmation } from "../../dashboard/dialogs/confirmation.tsx";
import { useReleaseHold } from "../../lib/api/booking-lists.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";

type HeldBooking = Readonly<{ id: string; event_date: string; promoter_name: string }>;

export function useReleaseDialog(): (booking: HeldBooking) => void {
  const release = useReleaseHold();
  return (booking) => {
    const day = formatDay(booking.event_date);
    openConfirmation({
      title: "Release this hold?",
      text: `${booking.promoter_name} is at the checkout for ${day}. Releasing the hold cancels the checkout. A payment that arrives later is refunded in full.`,
      cancel: "Keep hold",
      confirm: "Release hold",
      busy: "Releasing...",
      danger: true,
      onConfirm: async () => {
        const { released } = await release.mutateAsync({ id: booking.id });
        if (released) toast({ title: "Hold released", text: `The checkout for ${day} has ended.` });
        else toast({ title: "Nothing to release", text: `The hold on ${day} had already ended.` });
      },
    });
  };
}
