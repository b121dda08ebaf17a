import { formatMoneyExact } from "#platform/money.rules.ts";
import { type BookingDispute, useAcceptDispute, useReturnShare } from "./use-disputes.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toaster.tsx";
import { openConfirmation } from "../../dashboard/dialogs/confirmation.tsx";

export function ReturnShare({ dispute: { id, currency, returnable } }: Readonly<{ dispute: BookingDispute }>) {
  const returnShare = useReturnShare();
  if (!returnable) return null;
  const sum = (cents: number) => formatMoneyExact(cents, currency);
  const commission = returnable.platform > 0 ? ` ${sum(returnable.platform)} is our commission again.` : "";
  const openDialog = () =>
    openConfirmation({
      title: "Return the artist's share",
      text: `We return ${sum(returnable.artist)}, which the lost dispute took, to the artist.${commission} The amount taken from the payment account is returned to it.`,
      cancel: "Not yet",
      confirm: `Return ${sum(returnable.artist)}`,
      busy: "Returning...",
      onConfirm: async () => {
        await returnShare.mutateAsync({ id, expected_artist_cents: returnable.artist });
        toast({ title: "Share returned", text: `${sum(returnable.artist)} is returned to the artist.` });
      },
    });
  return (
    <p className="note gold">
      <strong>The money was returned after an appeal.</strong> {sum(returnable.artist)} of it was the artist's.{" "}
      <Button size="sm" onClick={openDialog}>
        Return the artist's share
      </Button>
    </p>
  );
}

export function AcceptDispute({ dispute: { id, amount, currency } }: Readonly<{ dispute: BookingDispute }>) {
  const accept = useAcceptDispute();
  const sum = formatMoneyExact(amount, currency);
  const openDialog = () =>
    openConfirmation({
      title: "Accept dispute",
      text: `The dispute is lost immediately and the payer keeps ${sum}. You can no longer send evidence, and you cannot undo this. We take the amount from what we hold for the booking. The artist and we share what has already been released.`,
      cancel: "Keep it open",
      confirm: "Accept dispute",
      busy: "Accepting...",
      danger: true,
      onConfirm: async () => {
        await accept.mutateAsync({ id });
        toast({ title: "Dispute accepted", text: `The payer keeps ${sum}.` });
      },
    });
  return (
    <div>
      <Button tone="bad" size="sm" onClick={openDialog}>
        Accept dispute
      </Button>
      <p className="small quiet">Instead of answering it: the payer keeps the money.</p>
    </div>
  );
}
