import { useEffect, useRef, useState } from "react";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { formatSignedMoney } from "../../lib/format/amounts.ts";
import { formatDay } from "../../lib/format/dates.ts";
import { LinkButton } from "../../ui/button.tsx";
import { DetailRow } from "../../ui/detail-row.tsx";
import { ContractHead, otherPartyOf } from "./contract-head.tsx";
import { PhoneBar, ContractSheet } from "./contract-sheet.tsx";
import { Decline } from "./decline.tsx";
import { DownloadIcon } from "./download-icon.tsx";
import { OwnSignature, Parties } from "./parties.tsx";
import { useReading, ClauseList, ReadingStrip } from "./reading.tsx";
import { ServiceSigning, ClickForm } from "./signing/click-form.tsx";
import { SignatureForm } from "./signing/signature-form.tsx";
import type { ContractResponse, SignedBooking, SigningActions } from "./use-signing.ts";
import "../../ui/print.css";
import shared from "../programme.module.css";
import styles from "./contract.module.css";
import signing from "./sign.module.css";

type Props = Readonly<{ contract: ContractResponse; actions: SigningActions }>;

/** A promoter without an account opens the booking's page, which sends a new link if this browser has none. */
export const BookingLink = ({ booking_id: id, side }: SignedBooking) => (
  <LinkButton to={side === "artist" ? paths.artistArea.booking(id) : paths.guestBooking(id)}>
    Open the booking
  </LinkButton>
);

export function ContractPage({ contract, actions }: Props) {
  const page = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState(false);
  const { document, can_sign: canSign } = contract;
  const text = document?.text ?? null;
  const isReady = useHydrated();
  const reading = useReading(page, text?.sections.length ?? 0);
  const sections = text?.sections ?? [];
  const ended = endOf(contract);
  const isOpen = !ended && !isSignedByViewer(contract);
  const pdf = document
    ? { url: document.url, name: `contract-${contract.number}${document.is_signed ? "-signed" : ""}.pdf` }
    : null;
  /** Runs one action at a time. The action's form shows its error. */
  const whileBusy = async (action: () => Promise<void>) => {
    setBusy(true);
    try {
      await action();
    } finally {
      setBusy(false);
    }
  };
  return (
    <div ref={page}>
      <ContractHead contract={contract} />
      {text && canSign ? <ReadingStrip sections={sections} read={reading.read} end={contract.expires_at} /> : null}
      <div className="wrap">
        {ended ? (
          <div className={styles.signed} data-ended>
            <svg
              viewBox="0 0 20 20"
              width="32"
              height="32"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              aria-hidden
            >
              <path d="M5 5l10 10M15 5L5 15" strokeLinecap="round" />
            </svg>
            <div>
              <h2>{ended.title}</h2>
              <p>{ended.text}</p>
            </div>
            <BookingLink {...contract} />
          </div>
        ) : (
          <SignedBanner contract={contract} hasSigned={!isOpen} />
        )}
        {contract.corrected_email ? (
          <p className={`note gold ${signing.gap}`}>
            The email address of the promoter was corrected to {contract.corrected_email} after this document was made.
            The certificate of the signed contract states the correction.
          </p>
        ) : null}
        <div className={styles.layout}>
          {text ? <ClauseList text={text} reading={reading} isOpen={isOpen} /> : <span />}
          {document && text ? <ContractSheet text={text} sha256={document.sha256} /> : <WithoutText pdf={pdf} />}
          {document && pdf ? (
            <aside className={styles.margin} data-closed={!isOpen || undefined} aria-label="The PDF">
              <LinkButton tone="line" size="sm" href={pdf.url} download={pdf.name}>
                <DownloadIcon />
                {document.is_signed ? "Download PDF with signatures" : "Download PDF"}
              </LinkButton>
              <span className="small quiet">
                {document.is_signed
                  ? "The signed contract and its certificate."
                  : `${document.pages} ${document.pages === 1 ? "page" : "pages"}, ${Math.ceil(document.bytes / 1000)} kB.${
                      text ? " The same text as here." : ""
                    }`}
              </span>
            </aside>
          ) : null}
        </div>
        <section
          className={styles.foot}
          id="signature"
          data-signature
          data-ended={ended ? "" : undefined}
          aria-label="Signatures"
        >
          {ended ? null : (
            <div>
              {contract.earnings ? <Earnings earnings={contract.earnings} currency={contract.currency} /> : null}
              {isOpen ? (
                <noscript>
                  <p className="note gold">Signing and declining need JavaScript.</p>
                </noscript>
              ) : null}
              {/* Before hydration, a form would lose what is typed, and send it in the address. */}
              <div className={signing.actions} inert={!isReady}>
                <Signing contract={contract} actions={actions} busy={busy} whileBusy={whileBusy} />
              </div>
            </div>
          )}
          <Parties contract={contract} hasEnded={ended !== null} />
        </section>
        {pdf && isOpen ? <PhoneBar {...{ sections, reading, pdf, busy }} signing={signingMethodOf(contract)} /> : null}
      </div>
    </div>
  );
}

const isSignedByViewer = ({ status, side, signers }: ContractResponse): boolean =>
  status === "signed" || signers.some((signer) => signer.side === side && signer.signed_at !== null);

/** Returns why no party can sign any more, null while one can, or if the viewer has signed. */
function endOf(contract: ContractResponse): { title: string; text: string } | null {
  if (contract.booking_status === "canceled")
    return {
      title: "This booking has ended",
      text: `${
        contract.status === "signed" ? "Both of you had signed its contract." : "Its contract can no longer be signed."
      } The booking shows what happens next.`,
    };
  if (contract.can_sign || contract.signs_before || !contract.document || isSignedByViewer(contract)) return null;
  return {
    title: "The time for signing is over",
    text: "This contract can no longer be signed. The booking shows what happens next.",
  };
}

function signingMethodOf({
  can_sign: canSign,
  service,
  accept_by_click: byClick,
}: ContractResponse): "form" | "other" | "none" {
  if (!canSign) return "none";
  return service || byClick ? "other" : "form";
}

/** A contract whose text cannot be verified against its document is read in the document. */
const WithoutText = ({ pdf }: Readonly<{ pdf: { url: string } | null }>) => (
  <article className={styles.sheet} aria-label="Contract">
    {pdf ? (
      <>
        <h2>Read this contract as a PDF</h2>
        <p>Its text cannot be shown here. What you sign is the PDF.</p>
        <p className={styles.open}>
          <LinkButton href={pdf.url} target="_blank" rel="noopener">
            Open PDF
            <span className="sr"> (opens in a new tab)</span>
          </LinkButton>
        </p>
      </>
    ) : (
      <p>This contract does not exist yet. It follows once the date is booked.</p>
    )}
  </article>
);

function Signing({
  contract,
  actions,
  busy,
  whileBusy,
}: Props & Readonly<{ busy: boolean; whileBusy(action: () => Promise<void>): Promise<void> }>) {
  const { can_sign: canSign, service, accept_by_click: byClick, signs_before: first } = contract;
  const decline = <Decline contract={contract} onDecline={actions.onDecline} />;
  if (canSign)
    return (
      <>
        <h2>{byClick && !service ? "Accept here" : "Sign here"}</h2>
        {service ? (
          <ServiceSigning service={service} findLink={actions.findLink} />
        ) : byClick ? (
          <ClickForm contract={contract} busy={busy} onAccept={() => whileBusy(actions.onAccept)} />
        ) : (
          <SignatureForm
            contract={contract}
            busy={busy}
            onSign={(given) => whileBusy(() => actions.onSign(given))}
            onSendCode={actions.onSendCode}
          />
        )}
        {service ? null : decline}
      </>
    );
  if (first)
    return (
      <>
        <h2>The {first} signs first</h2>
        <p className={signing.gap}>We email you when it is your turn. You can read the contract now, or decline it.</p>
        {decline}
      </>
    );
  if (isSignedByViewer(contract))
    return (
      <>
        <h2>{contract.signed_by_former_owner ? "The signature of the artist" : "Your signature"}</h2>
        <p className={signing.gap}>
          {contract.signed_by_former_owner
            ? "A former owner of your profile signed. The signature is stored with the contract, but not shown to you."
            : "It is stored with the contract. Your copy is stored with the booking."}
        </p>
        <OwnSignature contract={contract} />
      </>
    );
  return (
    <>
      <h2>Not open for signing yet</h2>
      <p className={signing.gap}>We email you when it is.</p>
      <BookingLink {...contract} />
    </>
  );
}

function SignedBanner({ contract, hasSigned }: Readonly<{ contract: ContractResponse; hasSigned: boolean }>) {
  const title = useRef<HTMLHeadingElement>(null);
  const before = useRef(hasSigned);
  useEffect(() => {
    if (hasSigned && !before.current) {
      title.current?.focus({ preventScroll: true });
      window.scrollTo({ top: 0 });
    }
    before.current = hasSigned;
  }, [hasSigned]);
  if (!hasSigned) return null;
  const other = otherPartyOf(contract);
  const isByOther = contract.signed_by_former_owner;
  const [who, copies] = isByOther
    ? ["A former owner has signed", "A former owner of your profile signed. You can download the text of the contract."]
    : ["You have signed", `You and ${other} can download the signed PDF.`];
  return (
    <div className={styles.signed}>
      <svg viewBox="0 0 20 20" width="32" height="32" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
        <path d="M4 10.5l4 4 8-9" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
      <div>
        <h2 ref={title} tabIndex={-1}>
          {contract.status === "signed" ? `Signed by both ${isByOther ? "parties" : "of you"}` : who}
        </h2>
        <p>
          {contract.status === "signed"
            ? `${formatDay(contract.event_date)} is set. ${copies}`
            : `The contract takes effect once ${other} has signed too. The booking shows it then.`}
        </p>
      </div>
      <BookingLink {...contract} />
    </div>
  );
}

type EarningsProps = Readonly<{ earnings: NonNullable<ContractResponse["earnings"]>; currency: string }>;

function Earnings({ earnings, currency }: EarningsProps) {
  const sum = (cents: number) => formatMoneyExact(cents, currency);
  return (
    <div className={`sheet ${shared.pad} ${signing.earnings}`}>
      <h2>What you earn</h2>
      <dl className={`${shared.lines} small num`}>
        <DetailRow label="Gross">{sum(earnings.gross_cents)}</DetailRow>
        {earnings.returned_cents > 0 ? (
          <DetailRow label="Refunds and lost disputes">
            {formatSignedMoney(-earnings.returned_cents, currency)}
          </DetailRow>
        ) : null}
        <DetailRow label="Commission">{formatSignedMoney(-earnings.commission_cents, currency)}</DetailRow>
        <DetailRow label="Net">
          <strong>{sum(earnings.net_cents)}</strong>
        </DetailRow>
      </dl>
    </div>
  );
}
