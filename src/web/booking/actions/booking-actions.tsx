/** The viewer's actions on a booking, each rendered if its permission allows it. The next step is filled. Rare ones are small, below it. */

import type { ComponentType } from "react";
import { paths } from "#platform/site-paths.rules.ts";
import { openConfirmation } from "../../dashboard/dialogs/confirmation.tsx";
import {
  useCompleteBooking,
  useConfirmRequest,
  useRefreshBookings,
  useReleaseOwnHold,
} from "../../lib/api/booking-page.ts";
import { attempt } from "../../lib/attempt.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { CancelBooking } from "../cancellation/cancel-booking.tsx";
import { SignContract } from "../contract/sign-contract.tsx";
import { ProposeForceMajeure } from "../force-majeure/propose-force-majeure.tsx";
import { type BookingResponse, isBalanceFarAhead } from "../status/progress.ts";
import { AcceptRequest, DeclineRequest } from "./answer-actions.tsx";
import { CreateBalanceLink, ExtendBalance, ReleaseDate } from "./balance-actions.tsx";
import { confirmShowText, releasedToast, releaseHoldText, ownHoldOf } from "./confirmation-text.ts";
import { CorrectEmail } from "./correct-email.tsx";
import { openMarkSigned } from "./mark-signed-dialog.tsx";
import { openDecideNoShow, StateNoShow } from "./no-show-dialogs.tsx";
import { openDecideObjection } from "./objection-dialog.tsx";
import { PayButton } from "./pay-button.tsx";
import { useReleaseDialog } from "./release-dialog.tsx";
import { ReportNoShow } from "./report-no-show.tsx";
import styles from "../booking.module.css";
import rows from "./actions.module.css";

type Action = Readonly<{
  name: string;
  allowed(booking: BookingResponse): boolean;
  isRare?(booking: BookingResponse): boolean;
  isEnding?: boolean;
  Control: ComponentType<Control & Readonly<{ onChanged(): void }>>;
}>;

type Control = Readonly<{ booking: BookingResponse }>;

const always = () => true;

const actions: readonly Action[] = [
  { name: "accept", allowed: ({ can }) => can.answer, Control: AcceptRequest },
  { name: "decline", allowed: ({ can }) => can.answer, Control: DeclineRequest },
  { name: "confirm_request", allowed: ({ can }) => can.confirm_request, Control: ConfirmRequest },
  { name: "release_own_hold", allowed: ({ can }) => can.release_own_hold, Control: ReleaseOwnHold },
  { name: "release", allowed: ({ can }) => can.release, isRare: always, Control: Release },
  // An admin may pay for the promoter, but is not prompted to.
  {
    name: "pay",
    allowed: ({ can }) => can.pay !== null,
    isRare: ({ viewer }) => viewer === "admin",
    Control: ({ booking }) => <PayButton booking={booking} primary={!isBalanceFarAhead(booking)} />,
  },
  {
    name: "other_dates",
    allowed: ({ status, viewer, artist }) => status === "canceled" && viewer === "promoter" && artist.has_page,
    Control: ({ booking }) => <LinkButton to={paths.availability(booking.artist.slug)}>View other dates</LinkButton>,
  },
  { name: "sign", allowed: ({ can }) => can.sign, Control: SignContract },
  { name: "mark_signed", allowed: ({ can }) => can.mark_signed, Control: MarkSigned },
  { name: "create_balance_link", allowed: ({ can }) => can.create_balance_link, Control: CreateBalanceLink },
  { name: "extend_balance", allowed: ({ can }) => can.decide_balance, Control: ExtendBalance },
  { name: "release_date", allowed: ({ can }) => can.decide_balance, Control: ReleaseDate },
  { name: "complete", allowed: ({ can }) => can.complete, Control: Complete },
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
  { name: "correct_email", allowed: (booking) => booking.can_correct_email, isRare: always, Control: CorrectEmail },
  { name: "report_no_show", allowed: ({ can }) => can.report_no_show, isRare: always, Control: ReportNoShow },
  // Before the artist answers a request, declining replaces canceling.
  { name: "cancel", allowed: ({ can }) => can.cancel && !can.answer, isEnding: true, Control: CancelBooking },
  {
    name: "force_majeure",
    allowed: ({ force_majeure: one }) => one?.can_propose === true,
    isEnding: true,
    Control: ProposeForceMajeure,
  },
];

export function BookingActions({ booking }: Readonly<{ booking: BookingResponse }>) {
  const allowed = actions.filter((action) => !action.isEnding && action.allowed(booking));
  const rare = allowed.filter(({ isRare }) => isRare?.(booking));
  const next = allowed.filter((action) => !rare.includes(action));
  return (
    <>
      <Row className={styles.actions} actions={next} booking={booking} />
      <Row className={rows.rare} actions={rare} booking={booking} />
    </>
  );
}

export const EndingActions = ({ booking }: Readonly<{ booking: BookingResponse }>) => (
  <Row
    className={rows.rare}
    actions={actions.filter((action) => action.isEnding && action.allowed(booking))}
    booking={booking}
  />
);

type RowProps = Readonly<{ className: string | undefined; actions: readonly Action[]; booking: BookingResponse }>;

function Row({ className, actions: shown, booking }: RowProps) {
  const refresh = useRefreshBookings();
  if (shown.length === 0) return null;
  return (
    <div className={className}>
      {shown.map(({ name, Control }) => (
        <Control key={name} booking={booking} onChanged={refresh} />
      ))}
    </div>
  );
}

function hasOpenObjection({ viewer, contract }: BookingResponse): boolean {
  const objections = contract?.attestation?.objections ?? [];
  return viewer === "admin" && objections.some(({ decision }) => decision === null);
}

function ReleaseOwnHold({ booking }: Control) {
  const release = useReleaseOwnHold();
  const hold = ownHoldOf(booking);
  const openDialog = () =>
    openConfirmation({
      title: "Release hold",
      text: releaseHoldText(booking.artist.name, booking.event_date, hold),
      cancel: "Keep hold",
      confirm: "Release hold",
      busy: "Releasing...",
      danger: true,
      onConfirm: () => release.mutateAsync({ id: booking.id }),
      done: releasedToast(hold),
    });
  return (
    <Button tone="line" onClick={openDialog}>
      Release hold
    </Button>
  );
}

function Release({ booking }: Control) {
  const openRelease = useReleaseDialog();
  return (
    <Button tone="bad" onClick={() => openRelease(booking)}>
      Release hold
    </Button>
  );
}

function Complete({ booking }: Control) {
  const complete = useCompleteBooking();
  const openDialog = () =>
    openConfirmation({
      title: "Confirm the show",
      text: confirmShowText(booking.artist.name),
      cancel: "Not yet",
      confirm: "The show was played",
      busy: "Confirming...",
      onConfirm: () => complete.mutateAsync({ id: booking.id }),
      done: { title: "The show is confirmed", text: "The booking is completed." },
    });
  return <Button onClick={openDialog}>Confirm the show</Button>;
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
