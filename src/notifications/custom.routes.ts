import { implement } from "@orpc/server";
import { recordActivity } from "#activity/index.ts";
import { oneLine } from "#delivery/rules.ts";
import type { Reader } from "#platform/db/index.ts";
import { invalid } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { broadcastChange } from "#realtime/index.ts";
import { platformSettings } from "#settings/index.ts";
import { renderEmail } from "./catalog/render-email.ts";
import { emailTemplatesApi } from "./custom/api.ts";
import { examplePoster } from "./custom/example-poster.views.ts";
import {
  type EditableEmail,
  type EmailRecipient,
  type EmailText,
  editableEmails,
  emailCatalog,
  emailRecipients,
  emailTextProblem,
} from "./custom/rules.ts";
import { changeOverride, readOverride } from "./custom/store.ts";
import { exampleParams, withText } from "./custom/values.ts";
import { enqueueMessage } from "./enqueue.ts";
import { emailHtml } from "./templates/layout.ts";

const on = implement(emailTemplatesApi).$context<Context>();

const testsPerHour = 30;

async function toResponse(reader: Reader, template: EditableEmail) {
  const { active, texts, version } = await readOverride(reader, template);
  const defaults = emailCatalog[template].texts;
  return {
    template,
    active,
    version,
    texts: emailRecipients.flatMap((side) => {
      const text = texts[side] ?? defaults[side];
      return text ? [{ reader: side, ...text, changed: texts[side] !== undefined }] : [];
    }),
  };
}

type Draft = { template: EditableEmail; reader: EmailRecipient } & EmailText;

function checkDraft({ template, reader, ...text }: Draft): void {
  requireRecipient(template, reader);
  const fields = (["subject", "text"] as const).flatMap((field) => {
    const message = emailTextProblem(template, field, text[field]);
    return message ? [{ field, message }] : [];
  });
  const [first] = fields;
  if (first) throw invalid(first.message, { data: { fields } });
}

function requireRecipient(template: EditableEmail, reader: EmailRecipient): void {
  if (!emailCatalog[template].texts[reader])
    throw invalid(`${emailCatalog[template].title} is not sent to the ${reader}.`);
}

type Changed = Readonly<{ template: EditableEmail; version: number; message: string; meta: object }>;

function change(
  context: Context,
  { template, version, message, meta }: Changed,
  apply: Parameters<typeof changeOverride>[4],
) {
  const { userId } = requireActor(context);
  return context.transaction(async (tx) => {
    await changeOverride(tx, template, version, userId, apply);
    await recordActivity(tx, { type: "system", message, meta: { template, ...meta }, actorId: userId });
    await broadcastChange(tx, "settings", { admins: true });
    return toResponse(tx, template);
  });
}

export const emailTemplatesRoutes = on.router({
  list: on.list.handler(async ({ context }) => {
    const items = [];
    for (const template of editableEmails) items.push(await toResponse(context.db, template));
    return { items };
  }),
  save: on.save.handler(({ input: { version, ...draft }, context }) => {
    checkDraft(draft);
    const { template, reader, subject, text } = draft;
    const message = `The email "${emailCatalog[template].title}" to the ${reader} was reworded`;
    return change(context, { template, version, message, meta: { reader, subject, text } }, (before) => ({
      active: before.active,
      texts: { ...before.texts, [reader]: { subject, text } },
    }));
  }),
  restore: on.restore.handler(({ input: { template, reader, version }, context }) => {
    requireRecipient(template, reader);
    const message = `The email "${emailCatalog[template].title}" to the ${reader} has its default text again`;
    return change(context, { template, version, message, meta: { reader } }, ({ active, texts }) => {
      const { [reader]: _dropped, ...rest } = texts;
      return { active, texts: rest };
    });
  }),
  setActive: on.setActive.handler(({ input: { template, active, version }, context }) => {
    const { title, required } = emailCatalog[template];
    if (!active && required) throw invalid(`${title} cannot be switched off. ${required}`);
    const message = `The email "${title}" was switched ${active ? "on" : "off"}`;
    return change(context, { template, version, message, meta: { active } }, ({ texts }) => ({ active, texts }));
  }),
  preview: on.preview.handler(async ({ input, context }) => {
    checkDraft(input);
    const brand = await platformSettings(context.db);
    const { publicUrl } = context.services.config;
    const poster = await examplePoster(context.db, publicUrl);
    const params = exampleParams(input.template, input.reader, publicUrl, poster);
    const email = withText(renderEmail(input.template, params), params, input);
    return { from: brand.fromEmail, subject: oneLine(email.subject), html: emailHtml(email, brand) };
  }),
  test: on.test.handler(async ({ input, context }) => {
    checkDraft(input);
    const { userId, email: to } = requireActor(context);
    const { config, limits } = context.services;
    await limits.hit(`test email ${userId}`, testsPerHour, 3600);
    const link = `${config.publicUrl}${paths.admin.settings()}`;
    const poster = await examplePoster(context.db, config.publicUrl);
    await context.transaction((tx) =>
      enqueueMessage(tx, {
        template: input.template,
        channel: "email",
        to,
        params: exampleParams(input.template, input.reader, link, poster),
        testText: input,
      }),
    );
    return { to };
  }),
});
