import { formatRelativeMoment, formatDeadline } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/fields/field.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { type BookingResponse, isPromoter } from "../status/progress.ts";
import { useTextForm } from "../use-text-form.ts";
import { OpenContract } from "./open-contract.tsx";
import styles from "./attested-contract.module.css";

type Contract = NonNullable<BookingResponse["contract"]>;
type Props = Readonly<{
  booking: Pick<BookingResponse, "id" | "viewer">;
  contract: Pick<Contract, "id" | "attestation">;
  onChanged(): void;
}>;

export function AttestedContract({ booking, contract, onChanged }: Props) {
  const { attestation } = contract;
  if (!attestation) return null;
  return (
    <div className={`note gold ${styles.note}`}>
      <p>
        <strong>Marked as signed on paper</strong> by {attestation.by}, {formatRelativeMoment(attestation.at)}: “
        {attestation.reason}”
      </p>
      {attestation.objections.map(({ side, reason, at, decision, decision_reason: why }) => (
        <p key={side}>
          <strong>The {side} objects</strong>, {formatRelativeMoment(at)}: “{reason}”{" "}
          {decision === null
            ? `Nothing is charged or paid out until an admin decides${side === "promoter" ? ", and the promoter can cancel only after that" : ""}.`
            : decision === "upheld"
              ? `An admin decided that the signature is valid: “${why ?? ""}”`
              : "The booking ended before an admin decided."}
        </p>
      ))}
      {attestation.paper ? <OpenContract id={contract.id} kind="paper" label="View signed document" /> : null}
      {attestation.can_object ? (
        <ObjectForm booking={booking} until={formatDeadline(attestation.objection_end)} onChanged={onChanged} />
      ) : null}
    </div>
  );
}

function ObjectForm({ booking, until, onChanged }: Pick<Props, "booking" | "onChanged"> & Readonly<{ until: string }>) {
  const { busy, error, fieldError, onSubmit } = useTextForm({
    name: "objection",
    min: 5,
    message: "Describe briefly what is wrong.",
    send: async (reason) => {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      await browserApi.bookings.contract.objectToContract({ id: booking.id, reason });
      toast({ title: "Your objection is stored", text: "An admin reviews it." });
      onChanged();
    },
  });
  return (
    <details className={styles.object}>
      <summary>You did not sign? Object until {until}</summary>
      <form noValidate onSubmit={onSubmit} aria-label="Object">
        <TextArea
          label="What is wrong?"
          name="objection"
          rows={3}
          maxLength={1000}
          required
          error={fieldError}
          hint={`We send it to the admins and add it to the evidence. Until they decide, nothing is charged or paid out. ${
            isPromoter(booking)
              ? "You can cancel only after that, by the cancellation terms of that day."
              : "The promoter can still cancel."
          }`}
        />
        <ErrorNote message={error} />
        <Button type="submit" tone="bad" busy={busy} busyLabel="Objecting...">
          Object
        </Button>
      </form>
    </details>
  );
}
