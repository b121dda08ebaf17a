import { paths } from "#platform/site-paths.rules.ts";
import { attempt } from "../../lib/attempt.ts";
import { toast } from "../../lib/toasts.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import type { BookingResponse } from "../status/progress.ts";

type Signer = Pick<BookingResponse, "id" | "viewer"> & Partial<Pick<BookingResponse, "mailbox_unverified">>;

/** A browser that only sent the request has not verified the mailbox. It gets the link by email. */
const needsLink = ({ viewer, mailbox_unverified: unverified }: Signer): boolean =>
  viewer === "guest" && unverified === true;

export function SignContract({
  booking,
  size,
  primary = true,
}: Readonly<{ booking: Signer; size?: "sm"; primary?: boolean }>) {
  if (needsLink(booking)) return <SendSigningLink id={booking.id} label="Send the signing link again" />;
  return (
    <LinkButton size={size} tone={primary ? "main" : "line"} to={paths.sign(booking.id)}>
      Sign Contract
    </LinkButton>
  );
}

/** Leads to the contract page, where a party can read and decline before its turn to sign. */
export function ReadContract({ booking }: Readonly<{ booking: Signer }>) {
  if (needsLink(booking)) return <SendSigningLink id={booking.id} label="Send me a link to read or decline it" />;
  return (
    <LinkButton size="sm" tone="line" to={paths.sign(booking.id)}>
      Read or decline it
    </LinkButton>
  );
}

function SendSigningLink({ id, label }: Readonly<{ id: string; label: string }>) {
  const send = () =>
    attempt(async () => {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      await browserApi.bookings.contract.sendSigningLink({ bookingId: id });
      toast({
        title: "Check your email",
        text: "We sent a new link to the contract to the email address of your request.",
      });
    });
  return (
    <Button tone="line" busyLabel="Sending..." onClick={send}>
      {label}
    </Button>
  );
}
