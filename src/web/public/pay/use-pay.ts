import { useCallback, useEffect, useRef, useState } from "react";
import { holdLimits } from "#calendar/checkout-hold.rules.ts";
import type { PaymentKind } from "#payments/rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import type { BookingResponse } from "../../booking/status/progress.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { replaceWithAddress } from "../../lib/browser/leave-site.ts";
import { watchSlowActions } from "../../lib/browser/slow-actions.ts";
import { useBusy } from "../../lib/browser/use-busy.ts";
import { responseError } from "../../lib/response-error.ts";

export type PayTarget = Readonly<{ bookingId: string; kind: PaymentKind; secret: string | null }>;

type Pay = Readonly<{
  pay(form?: HTMLFormElement): Promise<void>;
  busy: boolean;
  problem: PayProblem | undefined;
  /** With a problem, if this browser or account may open the booking. */
  booking: BookingResponse | undefined;
  wrong: Readonly<Record<string, string>>;
}>;

/** Opens the checkout and continues there: immediately, or with a payment link when `pay` is called, because mail scanners open links. */
export function usePay({ bookingId, kind, secret }: PayTarget, problemCode: string | null): Pay {
  const [busy, setBusy] = useBusy(false);
  const [problem, setProblem] = useState<PayProblem | undefined>(problemCode ? problemOf(problemCode) : undefined);
  const [booking, setBooking] = useState<BookingResponse>();
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const begun = useRef(false);
  const pay = useCallback<Pay["pay"]>(
    async (form) => {
      setBusy(true);
      setProblem(undefined);
      setWrong({});
      try {
        replaceWithAddress(await openCheckout({ bookingId, kind, secret, form }));
      } catch (error) {
        const { status, message, code, detail, fields } = apiErrorOf(error);
        if (Object.keys(fields).some((name) => form?.elements.namedItem(name))) {
          setBusy(false);
          setWrong(fields);
          return;
        }
        if (!secret && status !== 404) setBooking(await findBooking(bookingId));
        setProblem(problemOf(status === 404 ? "not_found" : code, message, detail));
        setBusy(false);
        new BroadcastChannel("stagedoor-pay").postMessage({ failed: bookingId });
      }
    },
    [bookingId, kind, secret, setBusy],
  );
  useEffect(() => {
    if (begun.current || secret || problemCode) return;
    begun.current = true;
    void pay();
  }, [pay, secret, problemCode]);
  return { pay, busy, problem, booking, wrong };
}

/** Returns undefined if it cannot be loaded, because the payment's problem is shown without it. */
const findBooking = (id: string): Promise<BookingResponse | undefined> =>
  import("../../lib/api/browser-api.ts")
    .then(({ browserApi }) => browserApi.bookings.read({ id }))
    .catch(() => undefined);

/** Returns the provider's address. The form of a payment link, with its key, is sent to the site's own address. */
async function openCheckout(pay: {
  bookingId: string;
  kind: PaymentKind;
  secret: string | null;
  form: HTMLFormElement | undefined;
}): Promise<string> {
  if (pay.secret === null) {
    const { browserApi } = await import("../../lib/api/browser-api.ts");
    const { url } = await browserApi.bookings.createCheckout({
      bookingId: pay.bookingId,
      isDeposit: pay.kind === "deposit",
    });
    return url;
  }
  watchSlowActions();
  const response = await fetch(paths.pay(pay.bookingId, pay.kind), {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(Array.from(new FormData(pay.form), ([name, value]) => [name, String(value)])),
  });
  const body = (await response.json()) as { url?: string };
  if (body.url) return body.url;
  throw responseError("", response.status, body);
}

/** `isForPayer`: shown to a payer, who may not open the booking. `isUnknownLink`: the visitor cannot open the booking here. */
type PayProblem = Readonly<{
  title: string;
  text: string;
  again: boolean;
  isForPayer?: boolean;
  isUnknownLink?: boolean;
}>;

const problems: Readonly<Record<string, PayProblem>> = {
  not_found: {
    title: "This payment link does not work here",
    text: "Open it in the browser you sent the request with, sign in, or use the newest payment link from our emails.",
    again: false,
    isUnknownLink: true,
  },
  conflict: {
    title: "Nothing to pay now",
    text: "The payment was already made, the contract is not signed yet, or the date is no longer available. See the status on the booking page.",
    again: false,
  },
  // The provider's page leads here. The key is in the link only, and stored as a hash.
  canceled: {
    title: "Payment canceled",
    text: "You have not been charged. To pay, open the payment link again.",
    again: false,
    isForPayer: true,
  },
  too_many: {
    title: "This date cannot be held now",
    text: `You can hold ${holdLimits.open} dates at a time, and a date again ${holdLimits.renewalMinutes} minutes after your hold of it has ended.`,
    again: true,
  },
};
const failed: PayProblem = {
  title: "The payment page could not be opened",
  text: "Please try again in a moment.",
  again: true,
};

const dateTitles: Readonly<Record<string, string>> = {
  taken: "This date is taken",
  held: "This date is on hold",
  too_soon: "This time has passed",
  closed: "This date is not available",
  held_elsewhere: "A checkout is already open",
  too_many_holds: `You are holding ${holdLimits.open} dates already`,
  held_before: "Please wait before you hold this date again",
};

function problemOf(code: string, message?: string, detail?: unknown): PayProblem {
  const state = typeof detail === "object" && detail !== null && "state" in detail ? String(detail.state) : "";
  const title = Object.hasOwn(dateTitles, state) ? dateTitles[state] : undefined;
  if (title && message) return { title, text: message, again: state === "held" || code === "too_many" };
  // Without a state of the date, the calls were too many.
  const isOther = code === "too_many" && message !== undefined;
  const known = Object.hasOwn(problems, code) && !isOther ? problems[code] : undefined;
  return message && code !== "not_found" ? { ...(known ?? failed), text: message } : (known ?? failed);
}
