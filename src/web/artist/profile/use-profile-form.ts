import { type SubmitEvent, useRef, useState } from "react";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { leastUnconfirmedRate, rateOf, rateText } from "../../dashboard/settings/rates.ts";
import { changesSince, useOverwriteWarning } from "../../dashboard/settings/use-overwrite-warning.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { type OwnProfile, useSaveOwnProfile } from "../../lib/api/artist/own-profile.ts";
import { closeErrors, toast } from "../../lib/toasts.ts";
import {
  changedFields,
  draftOf,
  draftProblems,
  fieldNames,
  type FieldName,
  fieldOfServer,
  inputOf,
  type ProfileDraft,
} from "./profile-draft.ts";

type TextField = { [Name in FieldName]: ProfileDraft[Name] extends string ? Name : never }[FieldName];

const nameFields = (messages: Partial<Record<FieldName, string>>): FieldName[] =>
  (Object.keys(fieldNames) as FieldName[]).filter((name) => messages[name] !== undefined);

export function useProfileForm(profile: OwnProfile) {
  const element = useRef<HTMLFormElement>(null);
  const save = useSaveOwnProfile();
  const [changes, setChanges] = useState<Partial<ProfileDraft>>({});
  const [messages, setMessages] = useState<Partial<Record<FieldName, string>>>({});
  const [error, setError] = useState<string>();
  const [confirmedRate, setConfirmedRate] = useState(0);
  const stored = draftOf(profile);
  const draft: ProfileDraft = { ...stored, ...changes };

  const overwrite = useOverwriteWarning(stored);

  const reset = (saved?: Partial<ProfileDraft>) => {
    setChanges((before) => changesSince(before, saved));
    setMessages({});
    setError(undefined);
    overwrite.onReset(saved);
  };
  const change = (given: Partial<ProfileDraft>) => {
    overwrite.onEdit(Object.keys(given) as (keyof ProfileDraft)[]);
    setChanges((before) => ({ ...before, ...given }));
    setMessages((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in given))));
    setError(undefined);
  };
  const show = (found: Partial<Record<FieldName, string>>) => {
    setMessages(found);
    const first = nameFields(found)[0] ?? "";
    element.current?.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus();
  };
  const fail = (failure: unknown) => {
    const { message, fields } = apiErrorOf(failure);
    const named: Partial<Record<FieldName, string>> = {};
    for (const [name, text] of Object.entries(fields)) {
      const field = fieldOfServer(name);
      if (field) named[field] ??= text;
    }
    show(named);
    setError(Object.keys(named).length > 0 ? undefined : message);
    toast({ tone: "error", title: "Error", text: "Failed to save your profile. Please try again." });
  };
  const submit = async () => {
    const problems = draftProblems(profile, draft);
    if (Object.keys(problems).length > 0) return show(problems);
    const warning = overwrite.warn(changedFields(stored, draft), (name) => `the ${fieldNames[name as FieldName]}`);
    setError(warning);
    if (warning) return;
    const rate = rateOf(draft.base_rate);
    if (draft.base_rate !== stored.base_rate && rate > 0 && rate < leastUnconfirmedRate && rate !== confirmedRate) {
      const exact = (cents: number) => formatMoneyExact(cents, profile.currency);
      setConfirmedRate(rate);
      return setError(
        `Your base rate is ${exact(rate)}. For ${exact(rate * 100)}, enter ${rateText(rate * 100)}. To keep ${exact(rate)}, save again.`,
      );
    }
    closeErrors();
    try {
      const saved = await save.mutateAsync(inputOf(stored, draft, profile.currency));
      reset(changes);
      const text = "Your profile has been updated successfully.";
      const notes = [
        draft.name.trim() === "" ? `Your artist name is your account's: ${saved.name}.` : "",
        // The name is new, or published for the first time.
        saved.shares_name && (saved.name !== stored.name || profile.slug === null)
          ? "Another act has this name. We may ask you to confirm it."
          : "",
      ];
      toast({ title: "Success", text: [text, ...notes].filter(Boolean).join(" ") });
    } catch (failure) {
      fail(failure);
    }
  };
  const wrong = nameFields(messages);
  return {
    draft,
    isMoving: draft.place !== null && stored.place !== null && draft.place.id !== stored.place.id,
    change,
    messages,
    bar: {
      changes: changedFields(stored, draft).map((name) => fieldNames[name]),
      error: wrong.length > 0 ? `Check ${wrong.map((name) => fieldNames[name]).join(", ")}.` : error,
      busy: save.isPending,
      onUndo: () => reset(),
    },
    field: (name: TextField) => ({
      name,
      value: draft[name],
      error: messages[name],
      onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
    }),
    props: {
      ref: element,
      noValidate: true,
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        if (!save.isPending) void submit();
      },
    },
  };
}
export type ProfileForm = ReturnType<typeof useProfileForm>;
