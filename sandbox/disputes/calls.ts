import { type Call, listOf, requireObject, retrieve, type Route, route } from "../lookup.ts";
import { badParam, requireText, optionalText, ProviderError, textValues } from "../params.ts";
import { find, saveObject } from "../store.ts";
import { answerDispute, decideDispute, isOver } from "./changes.ts";
import { evidenceFields, fileOf } from "./objects.ts";

const isFileField = (field: string) =>
  /^(?:cancellation_policy|customer_communication|customer_signature|duplicate_charge_documentation|receipt|refund_policy|service_documentation|shipping_documentation|uncategorized_file)$/.test(
    field,
  );
const maxTextLength = 150_000;
/** The provider estimates the pages of texts and files, and takes as many as the network of the card. The sandbox counts texts only. */
const [maxPages, lineLength, linesOnPage] = [19, 80, 50];
const linesOf = (text: string) =>
  text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineLength)), 0);

const updateDispute: Call = async ({ tx, params, id, now }) => {
  const dispute = await requireObject(tx, "dispute", id, "dispute");
  const evidence = textValues(params, "evidence");
  for (const [field, value] of Object.entries(evidence)) {
    if (!evidenceFields.has(field))
      throw badParam(`evidence[${field}]`, `Received unknown parameter: evidence[${field}]`, "parameter_unknown");
    if (isFileField(field) && !(await find(tx, "file", value)))
      throw badParam(`evidence[${field}]`, `No such file upload: '${value}'`, "resource_missing");
  }
  if (Object.values(evidence).join("").length > maxTextLength)
    throw badParam("evidence", "The combined character count of all evidence fields is too large.");
  if (linesOf(Object.values(evidence).join("\n")) > maxPages * linesOnPage)
    throw badParam(
      "evidence",
      `The evidence is longer than the ${maxPages} pages that the card network takes.`,
      "dispute_evidence_page_limit_exceeded",
    );
  if (isOver(dispute) || dispute.evidence_details.submission_count > 0)
    throw badParam("dispute", "This dispute is already closed or has been answered.", "dispute_closed");
  const submit = optionalText(params, "submit") !== "false";
  return answerDispute(tx, dispute, { evidence, submit }, now);
};

const closeDispute: Call = async ({ tx, id, now }) => {
  const dispute = await requireObject(tx, "dispute", id, "dispute");
  if (isOver(dispute)) throw badParam("dispute", "This dispute is already closed.", "dispute_closed");
  return decideDispute(tx, dispute, false, now);
};

const createFile: Call = async ({ tx, params, now }) => {
  if (requireText(params, "purpose") !== "dispute_evidence")
    throw badParam("purpose", "The sandbox takes evidence against disputes only.", "parameter_unknown");
  const { name = "", size = "0", type = "" } = textValues(params, "file");
  const ending = { "application/pdf": "pdf", "image/jpeg": "jpg", "image/png": "png" }[type];
  if (!ending || size === "0")
    throw new ProviderError(400, "invalid_request_error", "The file must be a PDF, JPEG or PNG.", { param: "file" });
  const file = fileOf({ created: now, filename: name, size: Number(size), type: ending });
  await saveObject(tx, "file", file);
  return file;
};

export const disputeCalls: readonly Route[] = [
  listOf("/v1/disputes", "dispute", { filter: "payment_intent" }),
  retrieve("/v1/disputes", "dispute"),
  route("POST /v1/disputes/:id", updateDispute),
  route("POST /v1/disputes/:id/close", closeDispute),
  route("POST /v1/files", createFile),
  retrieve("/v1/files", "file"),
];
