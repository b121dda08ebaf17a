import { type EmailContent, longDay, type Money, money } from "./email.ts";
import { sentRefund, type SentRefund } from "./refunds.ts";

/** A credit note is about a refund that the payer received. A correction cancels one, because it did not arrive or an appeal took the money back (`isDueAgain`). */
type PayerDocument =
  | Readonly<{ kind: "receipt" }>
  | (Readonly<{ kind: "credit_note" }> & Pick<SentRefund, "byDispute" | "paidOutside">)
  | Readonly<{ kind: "correction"; isDueAgain: boolean }>;

type ToPayer = Readonly<{
  number: string;
  name: string;
  document: string;
  paid: Money;
  artistName: string;
  promoterName: string;
  eventDate: string;
  venueName: string;
}>;

const labels = { receipt: "Receipt", credit_note: "Credit note", correction: "Correction" } as const;

/** To the payer who paid for the promoter, with the attached document. */
export const payerDocument = (to: ToPayer & PayerDocument): EmailContent => ({
  ...textOf(to),
  name: to.name,
  details: [
    ["Artist", to.artistName],
    ["Date", longDay(to.eventDate)],
    ["Venue", to.venueName],
    ["Booked by", to.promoterName],
    [labels[to.kind], to.document],
  ],
});

function textOf(to: ToPayer & PayerDocument): Pick<EmailContent, "subject" | "paragraphs"> {
  const paid = money(to.paid);
  const show = `${to.artistName} on ${longDay(to.eventDate)}`;
  if (to.kind === "receipt")
    return {
      subject: `Your receipt: ${paid} for ${to.artistName}`,
      paragraphs: [`Thank you. You paid ${paid} for ${show}. The receipt in your name is attached.`],
    };
  if (to.kind === "credit_note") {
    const { subject, paragraphs } = sentRefund({ ...to, refund: to.paid });
    return { subject, paragraphs: [...paragraphs, "The credit note is attached."] };
  }
  return {
    subject: `Your refund of ${paid} is due again`,
    paragraphs: [
      to.isDueAgain
        ? `Your bank had refunded ${paid} for ${show} after the dispute. It has changed its decision and returned the money to us, so this refund is due again.`
        : `The refund of ${paid} for ${show} did not arrive, so it is due again.`,
      "You get an email when it is paid. The attached document cancels the credit note.",
    ],
  };
}
