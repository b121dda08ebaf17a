import { Temporal } from "temporal-polyfill";
import { deviceName } from "#platform/http/device-name.ts";
import { plainLine } from "#platform/security/plain-name.rules.ts";
import { describeDay, formatWeekdayDate } from "#platform/time/calendar.rules.ts";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { sha256Of } from "../documents/hash.ts";
import { makePdf, type Page, type PdfDocument } from "../documents/pdf-page.ts";
import type { SignatureBlock } from "../documents/signature-blocks.ts";
import { type EvidenceEntry, signatureOf } from "../evidence/chain.ts";
import {
  contractSides,
  type ContractSide,
  type SignedDocumentType,
  signedDocumentTypes,
} from "../rules/contract.rules.ts";
import { serviceName } from "../views.ts";
import type { SealedContract } from "./sealing.ts";

const roles: Readonly<Record<ContractSide, string>> = { promoter: "Promoter", artist: "Artist" };

const roleOf = (side: ContractSide, party: string | undefined): string =>
  party ? `${roles[side]}: ${party}` : roles[side];

const methods: Readonly<Record<string, Readonly<{ short: string; long: string }>>> = {
  typed: { short: "Signed electronically by typing the name", long: "by typing the name" },
  drawn: { short: "Signed electronically by drawing", long: "by typing the name and drawing the signature" },
  provider: { short: "Signed electronically at the signing service", long: "at the signing service named below" },
  recorded: {
    short: "Recorded without proof",
    long: "before this installation kept evidence of signatures; recorded without proof",
  },
};

const identifiedBy: Readonly<Record<string, string>> = {
  link: "The one-use link that was sent to the mailbox of this party",
  session: "The account of this party",
  mailbox: "A browser in which the mailbox of this party was verified",
};

const text = (value: unknown) => (typeof value === "string" ? value : "");

type Moment = Readonly<{ words: string; lines: readonly [string, string]; short: string; zone: string }>;

/** Returns an instant in a zone, to the second: "Saturday 28 November 2026, 14:03:27 (US Central, UTC-06:00)". */
function momentIn(timeZone: string, at: string): Moment {
  const local = Temporal.Instant.from(at).toZonedDateTimeISO(timeZone);
  const day = local.toPlainDate().toString();
  const clock = local.toPlainTime().toString({ smallestUnit: "second" });
  const zone = `${formatTimeZone(timeZone)}, UTC${local.offset}`;
  const lines = [describeDay(day), `${clock} (${zone})`] as const;
  return { words: lines.join(", "), lines, short: `${formatWeekdayDate(day)}, ${clock}`, zone };
}

function describeAgent(agent: string | null): string {
  const name = deviceName(agent);
  return name === "Unknown device" && agent ? plainLine(agent) : name;
}

/** Draws the pages. Times are in the show's zone, with the exact time in UTC below each event. `fingerprint`: of the seal certificate, null for a copy without a seal. */
export function makeCertificatePages(
  contract: SealedContract,
  { fingerprint, pages }: { fingerprint: string | null; pages: number },
): Promise<PdfDocument> {
  const document = sha256Of(contract.agreement).toString("hex");
  const foot = [
    `Signatures and certificate, booking ${contract.number}`,
    `Fingerprint of the agreement (SHA-256): ${document}`,
  ];
  const signed = contractSides.flatMap((side) => signatureOf(contract.entries, side) ?? []);
  const moment = (at: string) => momentIn(contract.timeZone, at);
  const title = `Signatures and certificate ${contract.number}`;
  return makePdf({ title, foot, hasMark: true, pagesBefore: pages }, (page) => {
    page.title("Signatures");
    page.paragraph(
      `The signatures on this page were given to the agreement of booking ${contract.number} between ${contract.parties.promoter.name} (the promoter) and ${contract.parties.artist.name} (the artist), on the ${pages === 1 ? "page" : `${pages} pages`} before it, and to no other document.`,
    );
    page.signatures(signed.map((entry) => blockOf(contract, entry)));
    page.detail("Agreement", `Booking ${contract.number}, ${pages} ${pages === 1 ? "page" : "pages"}`);
    page.detail("Contract", contract.contractId);
    const last = signed
      .map(({ at }) => at)
      .toSorted()
      .at(-1);
    if (last && signed.length === contractSides.length) page.detail("Completed on", moment(last).words);
    page.detail("Agreement (SHA-256)", document);
    page.detail("Terms (SHA-256)", contract.termsHash);
    if (fingerprint !== null) {
      page.detail("Seal certificate (SHA-256)", fingerprint);
      page.heading("How this copy is protected");
      page.paragraph(
        "The certificate on the next page states how each party was identified and what happened. Each event has a hash (SHA-256) over its entry and all entries before it. The entries and the agreement are attached to this file, and its electronic seal covers every byte.",
      );
    }
    page.startPage();
    page.title("Certificate of signatures");
    page.paragraph(`For the agreement of booking ${contract.number}, contract ${contract.contractId}.`);
    for (const entry of signed) writeSigner(page, contract, entry);
    page.heading("History");
    const [first] = contract.entries;
    if (first)
      page.paragraph(
        `Times are local to the venue (${moment(first.at).zone} when it was sent). The exact time in UTC is below each event.`,
        { small: true },
      );
    contract.entries.forEach((entry, index) => {
      const hash = contract.links[index]?.hash.toString("hex") ?? "";
      page.detail(moment(entry.at).short, describeEvent(entry), {
        note: `${entry.number}. ${entry.at.replace("T", " ").replace("Z", " UTC")}${originOf(entry)}\nSHA-256 ${hash}`,
      });
    });
  });
}

function blockOf(contract: SealedContract, entry: EvidenceEntry): SignatureBlock {
  const side = entry.side ?? "promoter";
  const { name: party, organization } = contract.parties[side];
  const { lines } = momentIn(contract.timeZone, entry.at);
  if (entry.kind === "attested")
    return {
      ink: { words: "Signed outside the platform" },
      name: party,
      details: [roleOf(side, organization), "Attested by an admin", ...lines],
    };
  const { method, drawing, provider } = entry.details;
  const name = plainLine(text(entry.details["name"]));
  const role = roleOf(side, organization ?? (name === party ? undefined : party));
  if (method === "clicked")
    return { ink: { words: "Accepted by click" }, name, details: [role, ...lines, "No signature was required"] };
  const ink =
    method === "typed" || (method === "drawn" && !text(drawing))
      ? { typed: name }
      : method === "drawn"
        ? { drawing: text(drawing) }
        : { words: provider ? `Signed at ${serviceName(text(provider))}` : "Signed before signatures were stored" };
  return { ink, name, details: [role, ...lines, methods[text(method)]?.short ?? text(method)] };
}

function writeSigner(page: Page, contract: SealedContract, entry: EvidenceEntry): void {
  const side = entry.side ?? "promoter";
  const { name: party, email } = contract.parties[side];
  const { details } = entry;
  const when = (at: string) => momentIn(contract.timeZone, at).words;
  page.heading(`${party}, ${side}`);
  if (entry.kind === "attested") {
    page.detail("Signature", "Attested by an admin of the platform: it was given outside the platform.");
    page.detail("Attested on", when(entry.at));
    page.detail("Reason", text(details["reason"]));
    page.detail("Signed paper", describePaper(entry));
    return;
  }
  const name = plainLine(text(details["name"]));
  const method = text(details["method"]);
  if (method === "clicked")
    page.detail(
      "Acceptance",
      `Accepted by click as “${name}” on ${when(entry.at)}, with “${text(details["words"])}” under this document; this party's settings ask for no signature.`,
    );
  else {
    page.detail("Signature", `Signed as “${name}”, ${methods[method]?.long ?? method}`);
    page.detail("Signed on", when(entry.at));
  }
  if (email) page.detail("Email in the agreement", email);
  const corrected = contract.entries.findLast((one) => one.kind === "email_corrected" && one.side === side);
  if (corrected) page.detail("Email, corrected", text(corrected.details["email"]));
  const identifiedVia = identifiedBy[text(details["via"])];
  if (identifiedVia) page.detail("Identified by", identifiedVia);
  const found = (kind: EvidenceEntry["kind"]) =>
    contract.entries.findLast((one) => one.kind === kind && one.side === side);
  const code = found("code_verified");
  if (code)
    page.detail(
      "One-time code",
      `Sent by ${code.details["channel"] === "sms" ? "SMS" : "email"} to ${text(code.details["to"])}, entered on ${when(code.at)}`,
    );
  const consent = found("consented");
  if (consent) page.detail("Electronic signing", `Agreed to on ${when(consent.at)}`);
  if (entry.address) {
    page.detail("IP address", entry.address);
    page.detail("Browser and system", describeAgent(entry.agent));
  }
  const provider = text(details["provider"]);
  if (provider) page.detail("Signing service", `${serviceName(provider)}, reference ${text(details["reference"])}`);
  const reported = text(details["signed_at"]);
  if (reported) page.detail("Recorded there on", when(reported));
  const signedFile = text(details["signed_document"]);
  if (signedFile) page.detail("File that it signed (SHA-256)", signedFile);
}

function describePaper({ details }: EvidenceEntry): string {
  const paper = text(details["paper"]);
  if (!paper) return "None is kept.";
  const type = text(details["paper_type"]);
  const kind = Object.hasOwn(signedDocumentTypes, type) ? signedDocumentTypes[type as SignedDocumentType] : "file";
  return `${kind}, ${String(details["paper_bytes"])} bytes, fingerprint (SHA-256) ${paper}`;
}

function describeEvent({ kind, side, details }: EvidenceEntry): string {
  const party = side === null ? "A party" : `The ${side}`;
  const texts: Readonly<Record<EvidenceEntry["kind"], string>> = {
    sent: "Sent to both parties",
    opened: `${party} opened the agreement`,
    code_sent: `${party} requested a one-time code`,
    code_verified: `${party} entered the one-time code`,
    consented: `${party} agreed to sign electronically`,
    signed: details["method"] === "clicked" ? `${party} accepted by click` : `${party} signed`,
    attested: `An admin attested the signature of the ${side ?? "party"}`,
    objected: `${party} objected to the attestation`,
    objection_decided: `An admin decided about the objection: ${text(details["decision"])}`,
    email_corrected: `The email address of the ${side ?? "party"} was corrected to ${text(details["email"])}`,
    declined: `${party} declined`,
    voided: "The contract was voided",
    reported: "The signing service sent a report, which has no effect",
  };
  return texts[kind];
}

function originOf({ kind, side, address, agent }: EvidenceEntry): string {
  if (side === null || kind === "attested" || !address) return "";
  return `, from ${address}, ${describeAgent(agent)}`;
}
