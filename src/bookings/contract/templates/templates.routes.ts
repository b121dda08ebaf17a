import { implement } from "@orpc/server";
import { recordActivity } from "#activity/index.ts";
import {
  canonicalHash,
  composeAgreement,
  currentTemplate,
  findTemplate,
  listTemplates,
  makeAgreement,
  saveTemplate,
  templateVersions,
} from "#contracts/agreements-for-bookings.ts";
import { checkTemplate } from "#contracts/rules.ts";
import { findContract } from "#contracts/signing-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Reader } from "#platform/db/index.ts";
import { notFound, invalid } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { broadcastChange } from "#realtime/index.ts";
import { platformSettings } from "#settings/index.ts";
import { findBookingFor } from "../../request/booking-for-caller.ts";
import { requireBooking } from "../../store.ts";
import { artistOfBooking } from "../../views.ts";
import { contractTerms } from "../contract-terms.ts";
import { agreementContext } from "../sending.ts";
import { previewOfBooking, previewOfForm } from "./agreement-preview.ts";
import { type TemplatePage, templatesApi } from "./templates.api.ts";

const on = implement(templatesApi).$context<Context<Payments>>();

async function idInForce(reader: Reader): Promise<string> {
  const { defaultTemplateId } = await platformSettings(reader);
  return (await currentTemplate(reader, defaultTemplateId)).id;
}

async function templateResponse(reader: Reader, id: string, version?: number): Promise<TemplatePage> {
  const template = await findTemplate(reader, id, version);
  if (!template) throw notFound("Template not found");
  const [versions, inForce] = await Promise.all([templateVersions(reader, id), idInForce(reader)]);
  const { firstSigner, ...text } = template;
  return {
    ...text,
    first_signer: firstSigner,
    sections: template.sections.map(({ clauses, ...section }) => ({ ...section, clauses: [...clauses] })),
    in_force: inForce === id,
    versions,
  };
}

export const templatesRoutes = on.router({
  list: on.list.handler(async ({ context }) => {
    const [templates, inForce] = await Promise.all([listTemplates(context.db), idInForce(context.db)]);
    return { items: templates.map((one) => ({ ...one, in_force: one.id === inForce })) };
  }),
  read: on.read.handler(({ input, context }) => templateResponse(context.db, input.id, input.version)),
  save: on.save.handler(({ input, context }) => {
    const { name, userId } = requireActor(context);
    return context.transaction(async (tx) => {
      const text = { ...input, firstSigner: input.first_signer };
      const saved = await saveTemplate(tx, text, { by: name, at: context.services.clock.now() });
      const message = `${name} saved version ${saved.version} of the contract template ${saved.id}`;
      const meta = { template: saved.id, version: saved.version };
      await recordActivity(tx, { type: "contract", message, meta, actorId: userId });
      await broadcastChange(tx, "bookings", { admins: true });
      return templateResponse(tx, saved.id);
    });
  }),
  previewForm: on.previewForm.handler(async ({ input, context }) =>
    previewOfForm(context.db, input, context.services.clock.now()),
  ),
  previewBooking: on.previewBooking.handler(async ({ input, context }) => {
    const { booking, artist } = await findBookingFor(context, input.id);
    return previewOfBooking(context.db, booking, artist);
  }),
  preview: on.preview.handler(async ({ input, context }) => {
    const { title, sections, first_signer: firstSigner } = input;
    const booking = await requireBooking(context.db, input.booking_id);
    const fields = checkTemplate({ title, sections, firstSigner });
    if (fields[0]) throw invalid(fields[0].message, { data: { fields } });
    const artist = await artistOfBooking(context.db, booking);
    const terms =
      (await findContract(context.db, booking.id))?.terms ?? (await contractTerms(context.db, booking, artist));
    const template = { id: "preview", version: 1, title, sections, firstSigner };
    const agreement = agreementContext(booking, { terms });
    const text = await composeAgreement({ template, terms, context: agreement });
    const { document } = await makeAgreement({ template, terms, termsHash: canonicalHash(terms), context: agreement });
    return {
      number: booking.number,
      ...text,
      parties: { promoter: terms.promoter.name, artist: terms.artist.name },
      pages: document.pages,
      pdf: document.bytes.toString("base64"),
    };
  }),
});
