/** The actions of a booking's promoter. Guests have them on a public page, so their dialogs are of plain elements. */

import { type ComponentType, useState } from "react";
import { paths } from "#platform/site-paths.rules.ts";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { attempt } from "../../lib/attempt.ts";
import type { Message } from "../../lib/toasts.ts";
import { LinkButton } from "../../ui/button.tsx";
import { CancelBooking } from "../cancellation/cancel-booking.tsx";
import { SignContract } from "../contract/sign-contract.tsx";
import { ProposeForceMajeure } from "../force-majeure/propose-force-majeure.tsx";
import { ConfirmButton, DialogOpened } from "../plain-dialog.tsx";
import { type BookingResponse, isBalanceFarAhead, isPromoter } from "../status/progress.ts";
import { confirmShowText, ownHoldOf, releasedToast, releaseHoldText } from "./confirmation-text.ts";
import { CorrectEmail } from "./correct-email.tsx";
import { PayButton } from "./pay-button.tsx";
import { ReportNoShow } from "./report-no-show.tsx";
import styles from "../booking.module.css";
import rows from "./actions.module.css";

type Props = Readonly<{ booking: BookingResponse; onChanged(): void }>;

export type Action = Readonly<{
  name: string;
  allowed(booking: BookingResponse): boolean;
  isRare?(booking: BookingResponse): boolean;
  Control: ComponentType<Props>;
}>;

export const always = () => true;

export const releaseOwnHold: Action = {
  name: "release_own_hold",
  allowed: ({ can }) => can.release_own_hold,
  Control: ReleaseOwnHold,
};

const promoterActions: readonly Action[] = [
  // An admin may pay for the promoter, but is not prompted to.
  {
    name: "pay",
    allowed: ({ can }) => can.pay !== null,
    isRare: ({ viewer }) => viewer === "admin",
    Control: ({ booking }) => <PayButton booking={booking} primary={!isBalanceFarAhead(booking)} />,
  },
  {
    name: "other_dates",
    allowed: (booking) => booking.status === "canceled" && isPromoter(booking) && booking.artist.has_page,
    Control: ({ booking }) => <LinkButton to={paths.availability(booking.artist.slug)}>View other dates</LinkButton>,
  },
  { name: "sign", allowed: ({ can }) => can.sign, Control: SignContract },
  { name: "complete", allowed: ({ can }) => can.complete, Control: Complete },
  { name: "correct_email", allowed: (booking) => booking.can_correct_email, isRare: always, Control: CorrectEmail },
  { name: "report_no_show", allowed: ({ can }) => can.report_no_show, isRare: always, Control: ReportNoShow },
];

const endingActions: readonly Action[] = [
  // Before the artist answers a request, declining replaces canceling.
  { name: "cancel", allowed: ({ can }) => can.cancel && !can.answer, Control: CancelBooking },
  {
    name: "force_majeure",
    allowed: ({ force_majeure: one }) => one?.can_propose === true,
    Control: ProposeForceMajeure,
  },
];

/** The allowed actions. The next step is filled. Rare ones are small, below it. `before` and `after` are those beside the promoter's. */
export function NextActions({
  before = [],
  after = [],
  ...props
}: Props & Readonly<{ before?: readonly Action[]; after?: readonly Action[] }>) {
  const { allowed, onOpened } = useAllowedOrOpen([...before, ...promoterActions, ...after], props.booking);
  const rare = allowed.filter(({ isRare }) => isRare?.(props.booking));
  const next = allowed.filter((action) => !rare.includes(action));
  return (
    <>
      <Row {...props} className={styles.actions} actions={next} onOpened={onOpened} />
      <Row {...props} className={rows.rare} actions={rare} onOpened={onOpened} />
    </>
  );
}

export function EndingActions(props: Props) {
  const { allowed, onOpened } = useAllowedOrOpen(endingActions, props.booking);
  return <Row {...props} className={rows.rare} actions={allowed} onOpened={onOpened} />;
}

function useAllowedOrOpen(actions: readonly Action[], booking: BookingResponse) {
  const [opened, onOpened] = useState<string>();
  return { allowed: actions.filter(({ name, allowed }) => name === opened || allowed(booking)), onOpened };
}

type RowProps = Props &
  Readonly<{ className: string | undefined; actions: readonly Action[]; onOpened(name: string | undefined): void }>;

const Row = ({ className, actions, onOpened, ...props }: RowProps) =>
  actions.length === 0 ? null : (
    <div className={className}>
      {actions.map(({ name, Control }) => (
        <DialogOpened key={name} value={(isOpen) => onOpened(isOpen ? name : undefined)}>
          <Control {...props} />
        </DialogOpened>
      ))}
    </div>
  );

type Bookings = (typeof browserApi)["bookings"];

async function run({ onChanged }: Props, call: (api: Bookings) => Promise<unknown>, done: Message): Promise<void> {
  await attempt(async () => call((await import("../../lib/api/browser-api.ts")).browserApi.bookings), done);
  onChanged();
}

function ReleaseOwnHold(props: Props) {
  const { id, artist, event_date: date } = props.booking;
  const hold = ownHoldOf(props.booking);
  return (
    <ConfirmButton
      label="Release hold"
      tone="line"
      text={releaseHoldText(artist.name, date, hold)}
      cancel="Keep hold"
      confirm="Release hold"
      danger
      busyLabel="Releasing..."
      onConfirm={() => run(props, (api) => api.releaseOwnHold({ id }), releasedToast(hold))}
    />
  );
}

function Complete(props: Props) {
  const { id, artist } = props.booking;
  const done = { title: "The show is confirmed", text: "The booking is completed." };
  return (
    <ConfirmButton
      label="Confirm the show"
      text={confirmShowText(artist.name)}
      cancel="Not yet"
      confirm="The show was played"
      busyLabel="Confirming..."
      onConfirm={() => run(props, (api) => api.complete({ id }), done)}
    />
  );
}
