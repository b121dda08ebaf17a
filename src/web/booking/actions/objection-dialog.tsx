import { Radio, Stack, Textarea } from "@mantine/core";
import { type ObjectionDecision } from "#contracts/rules.ts";
import { useDecideObjection } from "../../lib/api/booking-page.ts";
import { toast } from "../../ui/toaster.tsx";
import { openForm } from "../../dashboard/dialogs/open-dialog.ts";
import dialog from "../../dashboard/dialogs/dialog.module.css";
import { DialogForm } from "../../dashboard/dialogs/dialog-form.tsx";
import { useApiForm } from "../../dashboard/use-api-form.ts";

const minReasonLength = 20;

type Objected = Readonly<{ bookingId: string; number: string }>;

export const openDecideObjection = (objected: Objected): void =>
  openForm("Decide about the objection", (onClose) => <DecideForm objected={objected} onClose={onClose} />);

function DecideForm({ objected, onClose }: Readonly<{ objected: Objected; onClose(): void }>) {
  const decide = useDecideObjection();
  const form = useApiForm({
    initialValues: { decision: "" as ObjectionDecision | "", reason: "" },
    fallback: "reason",
    validate: {
      decision: (decision) => (decision === "" ? "Choose a decision." : undefined),
      reason: (reason) =>
        reason.trim().length < minReasonLength
          ? `Enter a reason of at least ${minReasonLength} characters.`
          : undefined,
    },
    send: async ({ decision, reason }) => {
      if (decision === "") return;
      await decide.mutateAsync({ id: objected.bookingId, decision, reason });
      toast({ title: "Decided", text: "Both parties are notified by email." });
      onClose();
    },
  });
  return (
    <>
      <p className={dialog.text}>
        A party objects to the signature of the contract of {objected.number}. Nothing is charged or paid out until you
        decide.
      </p>
      <DialogForm form={form} submit="Decide" busyLabel="Deciding..." onClose={onClose}>
        <Radio.Group label="Your decision" required {...form.field("decision")}>
          <Stack gap="xs" mt="xs">
            <Radio value="upheld" label="The signature is valid" description="The booking continues." />
            <Radio
              value="annulled"
              label="Withdraw the signature"
              description="The contract is signed again. With less than 24 hours to the show, the booking is canceled and refunded in full."
            />
          </Stack>
        </Radio.Group>
        <Textarea
          label="The reason (both parties can read it)"
          rows={4}
          maxLength={1_000}
          required
          {...form.field("reason")}
        />
      </DialogForm>
    </>
  );
}
