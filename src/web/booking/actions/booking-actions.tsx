import { useConfirmRequest } from "../../lib/api/booking-page.ts";
import { attempt } from "../../lib/attempt.ts";
import { Button } from "../../ui/button.tsx";
import type { BookingResponse } from "../status/progress.ts";
import { AcceptRequest, DeclineRequest } from "./answer-actions.tsx";
import { CreateBalanceLink, ExtendBalance, ReleaseDate } from "./balance-actions.tsx";
import { openMarkSigned } from "./mark-signed-dialog.tsx";
import { openDecideNoShow, StateNoShow } from "./no-show-dialogs.tsx";
import { openDecideObjection } from "./objection-dialog.tsx";
import { type Action, always, NextActions, releaseOwnHold } from "./promoter-actions.tsx";
import { useReleaseDialog } from "./release-dialog.tsx";

type Control = Readonly<{ booking: BookingResponse }>;

const requestActions: readonly Action[] = [
  { name: "accept", allowed: ({ can }) => can.answer, Control: AcceptRequest },
  { name: "decline", allowed: ({ can }) => can.answer, Control: DeclineRequest },
  { name: "confirm_request", allowed: ({ can }) => can.confirm_request, Control: ConfirmRequest },
  releaseOwnHold,
  { name: "release", allowed: ({ can }) => can.release, isRare: always, Control: Release },
];

const laterActions: readonly Action[] = [
  { name: "mark_signed", allowed: ({ can }) => can.mark_signed, Control: MarkSigned },
  { name: "create_balance_link", allowed: ({ can }) => can.create_balance_link, Control: CreateBalanceLink },
  { name: "extend_balance", allowed: ({ can }) => can.decide_balance, Control: ExtendBalance },
  { name: "release_date", allowed: ({ can }) => can.decide_balance, Control: ReleaseDate },
  { name: "state_no_show", allowed: ({ can }) => can.state_no_show, Control: StateNoShow },
  {
    name: "decide_no_show",
    allowed: ({ can }) => can.decide_no_show,
    Control: ({ booking }) => <Button onClick={() => openDecideNoShow(booking)}>Decide</Button>,
  },
  {
    name: "decide_objection",
    allowed: hasOpenObjection,
    Control: ({ booking }) => <Button onClick={() => openDecideObjection(booking.id)}>Decide objection</Button>,
  },
];

export const BookingActions = (props: Control & Readonly<{ onChanged(): void }>) => (
  <NextActions {...props} before={requestActions} after={laterActions} />
);

function hasOpenObjection({ viewer, contract }: BookingResponse): boolean {
  const objections = contract?.attestation?.objections ?? [];
  return viewer === "admin" && objections.some(({ decision }) => decision === null);
}

function Release({ booking }: Control) {
  const openRelease = useReleaseDialog();
  return (
    <Button tone="bad" onClick={() => openRelease(booking)}>
      Release hold
    </Button>
  );
}

function MarkSigned({ booking: { contract, number, artist, promoter_name: promoter } }: Control) {
  if (contract === null) return null;
  return (
    <Button tone="line" onClick={() => openMarkSigned({ id: contract.id, number, artist: artist.name, promoter })}>
      Mark Signed
    </Button>
  );
}

function ConfirmRequest({ booking: { id, deposit_cents } }: Control) {
  const confirm = useConfirmRequest();
  const answer = (isOwn: boolean) =>
    attempt(
      () => confirm.mutateAsync({ id, is_own: isOwn }),
      isOwn
        ? {
            title: "Request confirmed",
            text: deposit_cents > 0 ? "You can pay the deposit now." : "The next step is on this page.",
          }
        : { title: "Request withdrawn", text: "The artist is notified. Nothing was charged." },
    );
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
