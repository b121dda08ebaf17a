import { attempt } from "../../lib/attempt.ts";
import { useConfirmRequest } from "../../lib/api/booking-page.ts";
import type { BookingResponse } from "../progress.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toaster.tsx";

export function ConfirmRequest({ booking: { id } }: Readonly<{ booking: BookingResponse }>) {
  const confirm = useConfirmRequest();
  const answer = (isOwn: boolean) =>
    attempt(async () => {
      await confirm.mutateAsync({ id, is_own: isOwn });
      toast(
        isOwn
          ? { title: "Request confirmed", text: "You can pay the deposit now." }
          : { title: "Request withdrawn", text: "The artist is notified. Nothing was charged." },
      );
    });
  return (
    <>
      <Button busy={confirm.isPending} busyLabel="Saving..." onClick={() => void answer(true)}>
        Yes, this was me
      </Button>
      <Button tone="bad" disabled={confirm.isPending} onClick={() => void answer(false)}>
        No, withdraw it
      </Button>
    </>
  );
}
