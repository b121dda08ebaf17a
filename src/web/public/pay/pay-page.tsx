/** /pay/{bookingId}/{deposit|balance}: a link for a new tab that requests the checkout and continues to the provider. */

import { useEffect, useRef } from "react";
import { data } from "react-router";
import { paymentKinds, type PaymentKind } from "#payments/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { unlessMissing } from "../../lib/api-error.ts";
import { apiContext } from "../../lib/api/api-context.ts";
import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { focusFirstInvalid } from "../../lib/form-validation.ts";
import { privateHeaders } from "../../lib/unlisted-meta.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import boxOffice from "../box-office.svg?url";
import { MissingPage } from "../not-found/missing-page.tsx";
import { NotFound } from "../not-found/not-found.tsx";
import { SendNewLink } from "../send-link.tsx";
import type { Route } from "./+types/pay-page.ts";
import { ArtistLink, DuePayment, OtherState, type PaidFor, payTitle, stateTexts } from "./pay-link.tsx";
import { type PayTarget, usePay } from "./use-pay.ts";
import styles from "../booking/booking.module.css";
import posterPage from "../poster-page.module.css";
import shared from "../programme.module.css";

const idShape = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const isKind = (text: string | undefined): text is PaymentKind => paymentKinds.some((kind) => kind === text);

/** Reads the address. `secret` is the key of a payment link. `problem` is why a form without scripts could not continue. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { bookingId, kind } = params;
  if (!idShape.test(bookingId) || !isKind(kind)) return data({ pay: undefined }, { status: 404 });
  const query = new URL(request.url).searchParams;
  const secret = query.get("key");
  const link = { bookingId, kind, key: secret ?? "" };
  const paidFor = secret ? await unlessMissing(context.get(apiContext).bookings.payLink(link)) : undefined;
  const status = secret && !paidFor ? 404 : 200;
  return data({ pay: { bookingId, kind, secret, problem: query.get("problem"), paidFor } }, { status });
}

export const headers = privateHeaders;

export const meta = ({ loaderData }: Route.MetaArgs) => {
  const pay = loaderData?.pay;
  return [
    { title: pay?.paidFor ? payTitle(pay.kind, pay.paidFor) : "Payment" },
    { name: "robots", content: "noindex" },
  ];
};

/** Only the site's name links away from the payment. */
export const handle = { bare: true, wall: true };

export default function PayPage({ loaderData }: Route.ComponentProps) {
  return loaderData.pay ? <Pay {...loaderData.pay} /> : <NotFound />;
}

type Props = PayTarget & Readonly<{ problem: string | null; paidFor: PaidFor | undefined }>;

function Pay({ paidFor, problem: text, ...target }: Props) {
  const payment = usePay(target, text ?? (target.secret && !paidFor ? "not_found" : null));
  const { kind } = target;
  const { problem } = payment;
  if (!paidFor) return <WithoutLink {...target} {...payment} />;
  // A payer who can pay again keeps the form with the details for the receipt.
  if (problem && !problem.again)
    return (
      <OtherState paidFor={paidFor} title={problem.title} text={problem.text} role="alert">
        <ArtistLink {...paidFor} />
      </OtherState>
    );
  if (paidFor.state !== "due")
    return (
      <OtherState paidFor={paidFor} {...stateTexts(kind, paidFor)}>
        <ArtistLink {...paidFor} />
      </OtherState>
    );
  return (
    <DuePayment paidFor={paidFor} kind={kind}>
      <PayForm
        {...target}
        {...payment}
        label={`Pay ${formatMoney(paidFor.amount_cents, paidFor.currency)}`}
        hasReceipt
        inBar
      />
    </DuePayment>
  );
}

type Form = PayTarget & ReturnType<typeof usePay>;

type FormProps = Form & Readonly<{ label: string; hasReceipt?: boolean; inBar?: boolean }>;

function PayForm({ label, hasReceipt = false, inBar = false, ...of }: FormProps) {
  const ready = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (form.current) focusFirstInvalid(form.current, of.wrong);
  }, [of.wrong]);
  return (
    <form
      ref={form}
      className={posterPage.form}
      method="post"
      action={paths.pay(of.bookingId, of.kind)}
      // With scripts, the server's messages are shown at the fields.
      noValidate={ready}
      onSubmit={(event) => {
        event.preventDefault();
        if (!of.busy) void of.pay(event.currentTarget);
      }}
    >
      {of.secret ? <input type="hidden" name="key" value={of.secret} /> : null}
      {hasReceipt ? <ReceiptFields wrong={of.wrong} /> : null}
      <div className={inBar ? posterPage.bar : undefined}>
        {hasReceipt && of.problem ? (
          <p className="note cherry" role="alert">
            <strong>{of.problem.title}.</strong> {of.problem.text}
          </p>
        ) : null}
        <Button type="submit" size="big" wide busy={of.busy} busyLabel="Opening..." data-waiting={!ready || undefined}>
          {label}
        </Button>
      </div>
    </form>
  );
}

const labels = { deposit: "Pay Deposit", balance: "Pay Balance" } as const;

/** The page of a browser or an account with the booking. The provider's page shows what it pays. */
function WithoutLink(of: Form) {
  const { problem, booking } = of;
  if (!problem)
    return (
      <div className={shared.mid} aria-busy>
        <h1>{labels[of.kind]}</h1>
        <p className={shared.lead} role="status">
          We are opening the payment page. Nothing is charged before you confirm it there.
        </p>
        <div className={shared.actions}>
          <PayForm {...of} label={labels[of.kind]} />
        </div>
      </div>
    );
  if (booking)
    return (
      <OtherState paidFor={booking} title={problem.title} text={problem.text} role="alert">
        {problem.again ? <PayForm {...of} label="Try again" /> : null}
        <LinkButton tone={problem.again ? "line" : "main"} size="big" wide href={paths.guestBooking(of.bookingId)}>
          Open the booking
        </LinkButton>
      </OtherState>
    );
  const text = <span role="alert">{problem.text}</span>;
  if (problem.isUnknownLink)
    return (
      <MissingPage titleIsText title={problem.title} text={text}>
        <SendNewLink id={of.bookingId} />
      </MissingPage>
    );
  return (
    <MissingPage titleIsText title={problem.title} text={text} poster={boxOffice}>
      <div className={shared.actions}>
        {problem.again ? <PayForm {...of} label="Try again" /> : null}
        {problem.isForPayer ? null : (
          <>
            <LinkButton tone={problem.again ? "line" : "main"} href={paths.guestBooking(of.bookingId)}>
              Open the booking
            </LinkButton>
            <LinkButton tone="line" className="when-out" href={paths.signIn}>
              Sign In
            </LinkButton>
          </>
        )}
      </div>
    </MissingPage>
  );
}

/** Optional: name and address for the receipt. Without them it goes to the promoter. */
function ReceiptFields({ wrong }: Readonly<{ wrong: Readonly<Record<string, string>> }>) {
  return (
    <details className={styles.receipt} open={Object.keys(wrong).length > 0 || undefined}>
      <summary>Paying for someone else? Get the receipt in your name</summary>
      <div className={styles.receiptFields}>
        <TextField
          label="Your name"
          name="payer_name"
          autoComplete="name"
          maxLength={120}
          error={wrong["payer_name"]}
        />
        <TextField
          label="Your email"
          name="payer_email"
          type="email"
          autoComplete="email"
          maxLength={254}
          error={wrong["payer_email"]}
          hint="We send the receipt there. The promoter and the artist do not see it."
        />
        <TextField
          label="Company (optional)"
          name="company"
          autoComplete="organization"
          maxLength={160}
          error={wrong["company"]}
        />
        <TextField label="Tax ID (optional)" name="tax_id" maxLength={40} error={wrong["tax_id"]} />
      </div>
    </details>
  );
}
