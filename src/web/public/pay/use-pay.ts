import { useCallback, useEffect, useRef, useState } from "react";
import type { PaymentKind } from "#payments/rules.ts";
import type { BookingResponse } from "../../booking/progress.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { replaceWithAddress } from "../../lib/browser/leave-site.ts";
import { useBusy } from "../booking/use-busy.ts";
import { openCheckout, type PayProblem, problemOf } from "./open-checkout.ts";

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
        if (Object.keys(fields).length > 0) {
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
