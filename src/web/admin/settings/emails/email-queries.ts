import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { EditableEmail, EmailRecipient, EmailText } from "#notifications/custom/rules.ts";
import { apiErrorOf } from "../../../lib/api-error.ts";
import { orpc } from "../../../lib/api/query.ts";

export const useEmailTemplates = () => useQuery(orpc.notifications.emailTemplates.list.queryOptions());
export type EmailTemplate = NonNullable<ReturnType<typeof useEmailTemplates>["data"]>["items"][number];

function useListUpdate() {
  const queries = useQueryClient();
  const queryKey = orpc.notifications.emailTemplates.list.queryKey();
  return {
    onSuccess: (fresh: EmailTemplate) =>
      queries.setQueryData(queryKey, (old: { items: EmailTemplate[] } | undefined) =>
        old ? { items: old.items.map((one) => (one.template === fresh.template ? fresh : one)) } : old,
      ),
    onError: (error: unknown) => {
      if (apiErrorOf(error).status === 409) void queries.invalidateQueries({ queryKey });
    },
  };
}

export const useSaveEmailText = () =>
  useMutation(orpc.notifications.emailTemplates.save.mutationOptions(useListUpdate()));

export const useRestoreEmailText = () =>
  useMutation(orpc.notifications.emailTemplates.restore.mutationOptions(useListUpdate()));

export const useSwitchEmail = () =>
  useMutation(orpc.notifications.emailTemplates.setActive.mutationOptions(useListUpdate()));

export const useSendTestEmail = () => useMutation(orpc.notifications.emailTemplates.test.mutationOptions());

export type EmailDraft = { template: EditableEmail; reader: EmailRecipient } & EmailText;

export const useEmailPreview = (draft: EmailDraft, valid: boolean) =>
  useQuery(
    orpc.notifications.emailTemplates.preview.queryOptions({
      input: draft,
      enabled: valid,
      placeholderData: keepPreviousData,
      retry: false,
    }),
  );
