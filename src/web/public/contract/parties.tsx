import { fairTurnHours } from "#contracts/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { formatDay, formatDeadline, formatMoment } from "../../lib/format/dates.ts";
import { otherPartyOf } from "./contract-head.tsx";
import { DrawnSignature, TypedSignature } from "./signing/signature.tsx";
import type { ContractResponse } from "./use-signing.ts";
import styles from "./sign.module.css";
import "../../ui/status.css";

type Signer = ContractResponse["signers"][number];

const otherMethods: Readonly<Record<string, string>> = {
  clicked: "Accepted by click",
  attested: "Signed on paper",
  provider: "Signed at the signing service",
  recorded: "Signed before signatures were stored here",
};

function Signature({ signer }: Readonly<{ signer: Signer }>) {
  const { signature } = signer;
  if (!signature) return null;
  if (signature.method === "drawn" && signature.drawing)
    return <DrawnSignature drawing={signature.drawing} name={signature.name} />;
  const other = otherMethods[signature.method];
  if (other !== undefined) return <span className="small quiet">{other}</span>;
  return (
    <span className={styles.partyHand} role="img" aria-label={`Signature of ${signer.name}`}>
      <TypedSignature name={signature.name} />
    </span>
  );
}

const isByHand = ({ signature }: Signer) => signature !== null && otherMethods[signature.method] === undefined;

export function OwnSignature({ contract: { signers, side } }: Readonly<{ contract: ContractResponse }>) {
  const own = signers.find((signer) => signer.side === side);
  return own && isByHand(own) ? (
    <div className={styles.pad}>
      <span className={styles.own}>
        <Signature signer={own} />
      </span>
    </div>
  ) : null;
}

export function Parties({ contract, hasEnded }: Readonly<{ contract: ContractResponse; hasEnded: boolean }>) {
  const { signers, side, signed_by_former_owner: isByOther, expires_at: end, extends_until: later } = contract;
  return (
    <aside aria-labelledby="parties">
      <h2 id="parties">Both of you</h2>
      {signers.map((signer) => (
        <div key={signer.side} className={styles.party}>
          <strong>{signer.name}</strong>
          <span className="small quiet">
            {signer.side}
            {signer.side === side && !isByOther ? ", you" : ""}
          </span>
          {signer.side === side && !hasEnded && isByHand(signer) ? null : <Signature signer={signer} />}
          <SignedBadge signer={signer} mine={signer.side === side} hasEnded={hasEnded} />
        </div>
      ))}
      {hasEnded ? null : <NextSteps contract={contract} />}
      {end ? (
        <div className="small quiet">
          <p>
            {orderText(contract)} Signatures are due by {formatDeadline(end)}.{" "}
            {later
              ? `If one is missing then, the time is extended once, until ${formatDeadline(later)}. If it is still missing, the booking ends:`
              : "If one is missing then, the booking ends:"}
          </p>
          <ul className={styles.missing}>
            {missingResults(contract).map(({ condition, result }) => (
              <li key={condition}>
                <strong>{condition}:</strong> {result}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </aside>
  );
}

function SignedBadge({ signer, mine, hasEnded }: Readonly<{ signer: Signer; mine: boolean; hasEnded: boolean }>) {
  if (signer.signed_at)
    return (
      <span className={`badge green ${styles.slip}`} data-done="100">
        Signed {formatMoment(signer.signed_at)}
      </span>
    );
  if (hasEnded) return <span className={`badge ${styles.slip}`}>Not signed</span>;
  return <span className={`badge gold ${styles.slip}`}>{mine ? "Waiting for you" : "Not signed yet"}</span>;
}

function orderText({ first_signer: first, side }: ContractResponse): string {
  if (first === null) return "Sign in any order.";
  return first === side ? "You sign first." : `The ${first} signs first.`;
}

const refundText = "everything that was paid is refunded.";

/** Returns the result of each missing signature for this viewer, as `sideAtFault` decides it at the end of the time. */
function missingResults(contract: ContractResponse): { condition: string; result: string }[] {
  const { first_signer: first, side, signers } = contract;
  const missing = signers
    .filter((signer) => signer.signed_at === null)
    .toSorted((one, other) => Number(other.side === first) - Number(one.side === first));
  const late = missing.map((signer, at) => {
    // In any order both may be late. In a fixed order the second signer can be late only after the first has signed.
    const other = first === null ? missing[1 - at] : missing[at - 1];
    const who = signer.side === side ? "You do" : `${signer.name} does`;
    const condition = other ? `Only ${other.side === side ? "you sign" : `${other.name} signs`}` : `${who} not sign`;
    const lateTurn =
      first === "artist"
        ? ` If the artist signs less than ${fairTurnHours} hours before the end, everything that was paid is refunded instead.`
        : "";
    return { condition, result: signer.side === "artist" ? refundText : `the cancellation terms apply.${lateTurn}` };
  });
  const neither = { condition: "Neither of you signs", result: refundText };
  return first === null && missing.length > 1 ? [...late, neither] : late;
}

function NextSteps({ contract }: Readonly<{ contract: ContractResponse }>) {
  const { status, booking_status: booking, side, signers, balance, currency } = contract;
  if (booking === "completed" || status === "declined") return null;
  const other = otherPartyOf(contract);
  const signed = signers.filter((signer) => signer.signed_at !== null);
  const hasSigned = signed.some((signer) => signer.side === side);
  const missing = signed.length === 0 ? "You both sign" : hasSigned ? `${other} signs` : "You sign";
  const first =
    status === "signed" ? (
      <>
        <strong>Done.</strong> The contract is in effect.
      </>
    ) : (
      `${missing}, and the contract takes effect.${contract.signed_by_former_owner ? "" : " You can both download the signed PDF then."}`
    );
  const money = balance && formatMoney(balance.cents, currency);
  const when = balance?.due ? `by ${formatDay(balance.due)}` : "as soon as both have signed";
  const steps = [
    first,
    ...(money === null ? [] : [`${side === "promoter" ? "You pay" : `${other} pays`} the balance, ${money}, ${when}.`]),
    side === "promoter" ? `${other} plays. We pay the artist after the show.` : "You play. We pay you after the show.",
  ];
  return (
    <>
      <h3 className={styles.next}>What happens next</h3>
      <ol className={styles.steps}>
        {steps.map((step, at) => (
          <li key={at}>
            <b aria-hidden>{at + 1}</b>
            <span>{step}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
