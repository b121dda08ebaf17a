/** The dialog in which an admin attests that a contract was signed outside the platform. */
import { Textarea } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useMarkSigned } from "../../lib/api/booking-page.ts";
import type { ShownBooking } from "../../lib/booking/progress.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toaster.tsx";
import dialog from "../dialog.module.css";
import { FormError } from "../form-error.tsx";
import { useApiForm } from "../use-api-form.ts";

/** The shortest reason that the server takes. */
const leastReason = 20;

/** Opens it; a click outside does nothing. */
export function openMarkSigned(booking: ShownBooking): void {
  const id = modals.open({
    title: "Mark this contract as signed",
    closeOnClickOutside: false,
    withCloseButton: false,
    children: <MarkSignedForm booking={booking} onClose={() => modals.close(id)} />,
  });
}

function MarkSignedForm({ booking, onClose }: Readonly<{ booking: ShownBooking; onClose(): void }>) {
  const markSigned = useMarkSigned();
  const form = useApiForm({
    initialValues: { reason: "" },
    fallback: "reason",
    validate: {
      reason: (reason) =>
        reason.length < leastReason ? `Please give the reason in at least ${leastReason} characters.` : undefined,
    },
    send: async ({ reason }) => {
      await markSigned.mutateAsync({ id: booking.contract?.id ?? "", reason });
      toast({ title: "Marked as signed", text: "Both parties are told, with your reason." });
      onClose();
    },
  });
  return (
    <>
      <p className={dialog.text}>
        You attest that both parties signed the contract of {booking.number} outside the platform. The reason is printed
        on its certificate, and both parties read it by email and can object within 72 hours.
      </p>
      <form className={dialog.form} {...form.props}>
        <Textarea
          label="Where and how was it signed?"
          rows={4}
          maxLength={1000}
          required
          data-autofocus
          {...form.field("reason")}
        />
        <FormError message={form.error} />
        <div className={dialog.actions}>
          <Button tone="line" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={form.busy} busyLabel="Marking...">
            Mark Signed
          </Button>
        </div>
      </form>
    </>
  );
}
