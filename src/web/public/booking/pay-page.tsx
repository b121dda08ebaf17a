/** /pay/{bookingId}/{deposit|balance}: a real link that opens in a new tab, asks for the checkout and continues to the provider. */
import { useCallback, useEffect, useRef, useState } from "react";
import { data } from "react-router";
import { paymentKinds, type PaymentKind } from "#payments/rules.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { continueAt } from "../../lib/leave-site.ts";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { type ApiClient, apiContext } from "../../lib/api/api-context.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { ReceiptFields, receiptOf, Summary } from "./paid-for.tsx";
import { NotFound } from "../not-found.tsx";
import shared from "../programme.module.css";
import type { Route } from "./+types/pay-page.ts";
import { openCheckout, type PayProblem, problemOf } from "./open-checkout.ts";

const idShape = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const isKind = (word: string | undefined): word is PaymentKind => paymentKinds.some((kind) => kind === word);

/** Reads the address. `secret` is the one-use key of an email's link, `problem` why a form without scripts could not continue. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { bookingId, kind } = params;
  if (!idShape.test(bookingId) || !isKind(kind)) return data({ pay: undefined }, { status: 404 });
  const query = new URL(request.url).searchParams;
  const secret = query.get("key");
  const paidFor = secret ? await readPaidFor(context.get(apiContext), { bookingId, kind, key: secret }) : null;
  return data({ pay: { bookingId, kind, secret, problem: query.get("problem"), paidFor } });
}

type PaidFor = Awaited<ReturnType<ApiClient["bookings"]["payLink"]>>;

/** What a link pays for; null when it opens nothing, which the press of the button explains. */
async function readPaidFor(api: ApiClient, link: { bookingId: string; kind: PaymentKind; key: string }) {
  try {
    return await api.bookings.payLink(link);
  } catch (error) {
    const { status } = apiErrorOf(error);
    if (status === 404 || status === 400) return null;
    throw error;
  }
}

/** The address may carry a secret: the page is not cached, and no other site gets it as a referrer. */
export const headers = () => ({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });

export const meta = () => [{ title: "Payment" }, { name: "robots", content: "noindex" }];

export default function PayPage({ loaderData }: Route.ComponentProps) {
  return loaderData.pay ? <Pay {...loaderData.pay} /> : <NotFound />;
}

const labels = { deposit: "Pay Deposit", balance: "Pay Balance" } as const;

type Props = {
  bookingId: string;
  kind: PaymentKind;
  secret: string | null;
  problem: string | null;
  paidFor: PaidFor | null;
};

/** Opens the checkout by itself, except by an email's link: mail scanners open links, and this one works once. */
function Pay({ bookingId, kind, secret, problem: word, paidFor }: Props) {
  const ready = useHydrated();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<PayProblem | undefined>(word ? problemOf(word) : undefined);
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const begun = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  const pay = useCallback(async () => {
    setBusy(true);
    setProblem(undefined);
    setWrong({});
    try {
      const receipt = form.current ? receiptOf(new FormData(form.current)) : {};
      continueAt(await openCheckout({ bookingId, kind, secret, receipt }));
    } catch (error) {
      const { status, message, code, detail, fields } = apiErrorOf(error);
      if (Object.keys(fields).length > 0) {
        setWrong(fields);
        setBusy(false);
        return;
      }
      setProblem(problemOf(status === 404 ? "not_found" : code, message, detail));
      setBusy(false);
      new BroadcastChannel("stagedoor-pay").postMessage({ failed: bookingId });
    }
  }, [bookingId, kind, secret]);
  useEffect(() => {
    if (begun.current || secret || word) return;
    begun.current = true;
    void pay();
  }, [pay, secret, word]);
  useEffect(() => {
    const comeBack = (event: PageTransitionEvent) => event.persisted && setBusy(false);
    window.addEventListener("pageshow", comeBack);
    return () => window.removeEventListener("pageshow", comeBack);
  }, []);
  return (
    <div className={shared.mid}>
      <h1>{problem?.title ?? labels[kind]}</h1>
      <p className={shared.lead} role={problem ? "alert" : "status"}>
        {problem?.text ??
          "The payment page of our card provider opens next. Nothing is charged before you confirm it there."}
      </p>
      {paidFor && !problem ? <Summary kind={kind} paidFor={paidFor} /> : null}
      <form
        ref={form}
        className={shared.actions}
        method="post"
        action={paths.pay(bookingId, kind)}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void pay();
        }}
      >
        {secret ? <input type="hidden" name="key" value={secret} /> : null}
        {paidFor?.is_payer && !problem ? <ReceiptFields wrong={wrong} /> : null}
        {problem && !problem.again ? null : (
          <Button
            type="submit"
            size={problem ? undefined : "big"}
            busy={busy}
            busyLabel="Opening..."
            data-waiting={!ready || undefined}
          >
            {problem ? "Try again" : labels[kind]}
          </Button>
        )}
        {problem ? (
          <>
            <a className={buttonClass(problem.again ? { tone: "line" } : {})} href={paths.guestBooking(bookingId)}>
              Open the booking
            </a>
            <a className={`${buttonClass({ tone: "line" })} when-out`} href={paths.signIn}>
              Sign In
            </a>
            <a className={buttonClass({ tone: "line" })} href={paths.browse()}>
              Browse Artists
            </a>
          </>
        ) : null}
      </form>
    </div>
  );
}
