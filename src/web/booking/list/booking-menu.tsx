import { Menu } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { paths } from "#platform/site-paths.rules.ts";
import { ActionsMenu, DestructiveItem, MenuLink } from "../../dashboard/lists/list-cells.tsx";
import { Loaded } from "../../dashboard/section-failed.tsx";
import { useBooking, useRefreshBookings } from "../../lib/api/booking-page.ts";
import { copyNumber } from "../../lib/browser/copy-text.ts";
import { CancelForm, cancelTitle } from "../cancellation/cancel-booking.tsx";
import { PlainDialog } from "../plain-dialog.tsx";
import type { BookingResponse } from "../status/progress.ts";

export type MenuBooking = Readonly<{ id: string; number: string; can: BookingResponse["can"] }>;

type Props = Readonly<{
  booking: MenuBooking;
  viewer: BookingResponse["viewer"];
  name: string;
  page: string;
  onPreview?: (() => void) | undefined;
  children?: ReactNode;
}>;

export function BookingMenu({ booking, viewer, name, page, onPreview, children }: Props) {
  const { number, can } = booking;
  const [canceling, setCanceling] = useState(false);
  const others = can.mark_signed || can.complete || can.report_no_show || can.decide_no_show || can.decide_balance;
  return (
    <>
      <ActionsMenu name={name}>
        {can.pay && viewer !== "admin" ? (
          <Menu.Item component="a" href={paths.pay(booking.id, can.pay)} target="_blank" rel="noopener">
            {can.pay === "deposit" ? "Pay Deposit" : "Pay Balance"}
            <span className="sr"> (opens in a new tab)</span>
          </Menu.Item>
        ) : null}
        {can.sign ? <MenuLink to={paths.sign(booking.id)}>Sign Contract</MenuLink> : null}
        {children}
        {others ? <MenuLink to={page}>{otherLabel(can)}</MenuLink> : null}
        <MenuLink to={page} rightSection={<kbd aria-hidden>Enter</kbd>}>
          View booking
        </MenuLink>
        {onPreview ? (
          <Menu.Item onClick={onPreview} rightSection={<kbd aria-hidden>Space</kbd>}>
            Preview
          </Menu.Item>
        ) : null}
        <Menu.Item onClick={() => void copyNumber(number)}>Copy {number}</Menu.Item>
        {can.cancel ? <DestructiveItem label="Cancel Booking" onClick={() => setCanceling(true)} /> : null}
      </ActionsMenu>
      {canceling ? <CancelFromList id={booking.id} onClose={() => setCanceling(false)} /> : null}
    </>
  );
}

function otherLabel(can: MenuBooking["can"]): string {
  if (can.decide_no_show) return "Decide about the no-show";
  if (can.decide_balance) return "Decide about the balance";
  if (can.complete) return "Confirm the show";
  return can.report_no_show ? "Report a no-show" : "Mark Signed";
}

/** The dialog needs the whole booking, which loads when the dialog opens. */
function CancelFromList({ id, onClose }: Readonly<{ id: string; onClose(): void }>) {
  const query = useBooking(id);
  const refresh = useRefreshBookings();
  return (
    <PlainDialog title={cancelTitle} onClose={onClose}>
      {(close) => (
        <Loaded query={query} what="The booking">
          {(booking) => <CancelForm booking={booking} onChanged={refresh} close={close} />}
        </Loaded>
      )}
    </PlainDialog>
  );
}
