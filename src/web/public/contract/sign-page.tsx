/** /sign/{key}: the exact document, and one party's signature under it. Opened by an emailed link or by the account of a party. */
import { Link, useParams } from "react-router";
import { formatMoney, formatMoneyExact } from "#platform/money.rules.ts";
import { describeDay, formatInstant } from "../../lib/format/dates.ts";
import { toast } from "../../lib/toasts.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { StubLine } from "../booking/steps.tsx";
import shared from "../programme.module.css";
import { ClickForm } from "./click-form.tsx";
import { ServiceSigning } from "./service-signing.tsx";
import { Decline, SignatureForm } from "./signature-form.tsx";
import styles from "./sign.module.css";
import { type ShownContract, type SignatureGiven, type SignedBooking, useSigning } from "./use-signing.ts";

export const meta = () => [
  { title: "Sign the contract" },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "no-referrer" },
];

export default function SignPage() {
  const { key = "" } = useParams();
  const { state, retry, sign, accept, sendCode, decline, findLink } = useSigning(key);
  switch (state.phase) {
    case "loading":
      return (
        <div className={shared.mid} aria-busy>
          <h1>Sign the contract</h1>
          <Spinner />
        </div>
      );
    case "closed":
      return (
        <div className={shared.mid}>
          <h1>{state.title}</h1>
          <p className={shared.lead}>{state.message}</p>
          <p className={shared.actions}>
            {state.booking ? (
              <ToBooking {...state.booking} />
            ) : (
              <>
                <Link className={`${buttonClass({ tone: "line" })} when-in`} to={paths.dashboard}>
                  To your bookings
                </Link>
                <Link className={`${buttonClass({ tone: "line" })} when-out`} to={paths.contact}>
                  Contact us
                </Link>
              </>
            )}
          </p>
        </div>
      );
    case "failed":
      return (
        <div className={shared.mid}>
          <ErrorState
            heading="h1"
            title="The contract could not be loaded"
            text={`${state.message} Nothing was changed.`}
            reference={state.reference}
            onRetry={retry}
          />
        </div>
      );
    case "declined":
      return (
        <div className={shared.mid}>
          <h1>You declined the contract</h1>
          <p className={shared.lead}>
            The booking has ended, and the date is free again.
            {state.refundCents > 0
              ? ` ${formatMoney(state.refundCents, state.currency)} is refunded to the card it was paid with.`
              : ""}
          </p>
        </div>
      );
    case "open":
      return (
        <OpenContract
          contract={state.contract}
          onSign={async (given) => {
            await sign(state.contract, given);
            toast({ title: "Signed", text: "Your signature is stored with the contract." });
          }}
          onAccept={async () => {
            await accept(state.contract);
            toast({ title: "Accepted", text: "Your acceptance is stored with the contract." });
          }}
          onSendCode={() => sendCode(state.contract)}
          onDecline={(reason) => decline(state.contract, reason)}
          findLink={findLink}
        />
      );
  }
}

function OpenContract({
  contract,
  onSign,
  onAccept,
  onSendCode,
  onDecline,
  findLink,
}: {
  contract: ShownContract;
  onSign(given: SignatureGiven): Promise<void>;
  onAccept(): Promise<void>;
  onSendCode(): Promise<void>;
  onDecline(reason: string): Promise<void>;
  findLink(): Promise<string>;
}) {
  const { artist, document, can_sign: canSign } = contract;
  const until = contract.expires_at
    ? ` Open until ${formatInstant(new Date(contract.expires_at), contract.time_zone)}.`
    : "";
  return (
    <div className="wrap">
      <div className={shared.title}>
        <h1>{canSign ? "Sign the contract" : "The contract"}</h1>
        <p>
          {artist.name} at {contract.venue_name}, {describeDay(contract.event_date)}.{until}
        </p>
      </div>
      <div className={styles.columns}>
        <section className={styles.document} aria-label="The contract">
          {document ? (
            <>
              <header>
                <span className="num">
                  {contract.number}, {document.pages} pages
                </span>
                <a
                  className={buttonClass({ tone: "line", size: "sm" })}
                  href={document.url}
                  target="_blank"
                  rel="noopener"
                >
                  Open PDF
                  <span className="sr"> (opens in a new tab)</span>
                </a>
              </header>
              <iframe
                src={`${document.url}#navpanes=0&view=FitH`}
                title={`Contract ${contract.number}, ${document.pages} pages`}
              />
              <p className={styles.phone}>
                Some phones show no document inside a page. <strong>Open PDF</strong> shows the same one.
              </p>
              <p className={`small quiet ${styles.hash}`}>Fingerprint (SHA-256): {document.sha256}</p>
            </>
          ) : (
            <p>This contract has not been made yet. It follows once the date is booked.</p>
          )}
          {canSign && document ? <ToSignature pages={document.pages} /> : null}
        </section>
        <aside className={styles.side} aria-label="Signatures">
          {contract.earnings ? <Earnings earnings={contract.earnings} currency={contract.currency} /> : null}
          {canSign && contract.service ? (
            <ServiceSigning service={contract.service} findLink={findLink} />
          ) : canSign && contract.accept_by_click ? (
            <ClickForm contract={contract} onAccept={onAccept} onDecline={onDecline} />
          ) : canSign ? (
            <SignatureForm contract={contract} onSign={onSign} onSendCode={onSendCode} onDecline={onDecline} />
          ) : contract.signs_before ? (
            <div className={styles.your}>
              <h2>The {contract.signs_before} signs first</h2>
              <p>
                You get an email with your link when it is your turn. Until then you can read the contract, or decline
                it.
              </p>
              <Decline contract={contract} onDecline={onDecline} />
            </div>
          ) : (
            <State contract={contract} />
          )}
          <Signatures contract={contract} />
        </aside>
      </div>
    </div>
  );
}

/** Promoters without an account open the page of their booking, which sends them a new link when this browser has none. */
const ToBooking = ({ booking_id: id, side }: SignedBooking) => (
  <Link
    className={buttonClass({ tone: "line" })}
    to={side === "artist" ? paths.artistArea.booking(id) : paths.guestBooking(id)}
  >
    Open the booking
  </Link>
);

const ToSignature = ({ pages }: Readonly<{ pages: number }>) => (
  <p className={styles.bar}>
    <span className="num">{pages} pages</span>
    <a className={buttonClass({ tone: "line", size: "sm" })} href="#signature">
      To the signature
    </a>
  </p>
);

/** What stands in place of the form for whoever cannot sign, or cannot sign any more. */
function State({ contract }: { contract: ShownContract }) {
  const mine = contract.signers.find((signer) => signer.side === contract.side)?.signed_at;
  const other = contract.side === "promoter" ? "the artist" : "the promoter";
  const [title, text] =
    contract.booking_status === "canceled"
      ? ["The booking has ended", "This contract can no longer be signed."]
      : contract.status === "signed"
        ? ["Signed by both", "Your copy stays with the booking."]
        : mine
          ? ["You have signed", `The contract is complete once ${other} has signed too.`]
          : ["Not open for signing", "The time for signing is over."];
  return (
    <div className={`note ${contract.status === "signed" || mine ? "green" : ""} ${styles.state}`} aria-live="polite">
      <p>
        <strong>{title}</strong>
        <br />
        {text}
      </p>
      <ToBooking {...contract} />
    </div>
  );
}

function Earnings({
  earnings,
  currency,
}: Readonly<{ earnings: NonNullable<ShownContract["earnings"]>; currency: string }>) {
  const sum = (cents: number) => formatMoneyExact(cents, currency);
  return (
    <div className={`sheet ${shared.pad}`}>
      <h2 className={styles.small}>What you earn</h2>
      <dl className={`${shared.lines} small num`}>
        <StubLine word="Gross">{sum(earnings.gross_cents)}</StubLine>
        <StubLine word="Commission">−&nbsp;{sum(earnings.commission_cents)}</StubLine>
        <StubLine word="Net">
          <strong>{sum(earnings.net_cents)}</strong>
        </StubLine>
      </dl>
    </div>
  );
}

function orderOf({ first_signer: first, side }: ShownContract): string {
  if (first === null) return "You can sign in any order.";
  return first === side ? "You sign first." : `The ${first} signs first.`;
}

function Signatures({ contract }: { contract: ShownContract }) {
  return (
    <div className={`sheet ${shared.pad}`}>
      <h2 className={styles.small}>Signatures</h2>
      <ul className={styles.signers}>
        {contract.signers.map((signer) => (
          <li key={signer.side} data-signed={signer.signed_at ? "" : undefined}>
            <i aria-hidden />
            <span>
              {signer.name}
              <br />
              <span className="quiet small">
                {signer.side}
                {signer.side === contract.side ? ", you" : ""}
              </span>
            </span>
            <span className="small">{signer.signed_at ? "signed" : "to sign"}</span>
          </li>
        ))}
      </ul>
      {contract.expires_at ? (
        <p className="small quiet">
          {orderOf(contract)} Unsigned when the time is over, the booking ends and the money is divided as the contract
          says.
        </p>
      ) : null}
    </div>
  );
}
