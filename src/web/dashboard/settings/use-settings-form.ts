import { type SubmitEvent, useRef, useState } from "react";
import { type BoundedSetting, bounds } from "#settings/bounds.rules.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { closeErrors, toast } from "../../lib/toasts.ts";
import { openConfirmation } from "../dialogs/confirmation.tsx";
import { changesSince, useOverwriteWarning } from "./use-overwrite-warning.ts";

type Value = string | number | boolean;
/** Lists are not fields of this form. They have their own screen. */
type Values = Readonly<Record<string, Value | readonly unknown[]>>;
type StoredSettings<V extends Values> = Readonly<{ values: V; version: number; saved_at: string | null }>;

type Options<V extends Values> = Readonly<{
  stored: StoredSettings<V>;
  /** The name of each setting in the save bar: "the note". Settings without a name are not on this page. */
  names: Readonly<Partial<Record<keyof V & string, string>>>;
  save(change: { values: Partial<V>; version: number }): Promise<unknown>;
  check?: (name: keyof V & string, text: string) => string | undefined;
  question?: (values: Partial<V>) => Question | undefined;
}>;
type Question = Omit<Parameters<typeof openConfirmation>[0], "onConfirm" | "onCancel" | "busy" | "cancel">;

/** A number is text until it is saved. */
type Draft<V extends Values> = { [Name in keyof V]?: V[Name] extends boolean ? boolean : string };

export function useSettingsForm<V extends Values>({ stored, names, save, check, question }: Options<V>) {
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<Draft<V>>({});
  const [messages, setMessages] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const overwrite = useOverwriteWarning(stored.values);
  const known = Object.keys(names) as (keyof V & string)[];
  const textOf = (name: keyof V & string): string => {
    const typed: unknown = draft[name];
    return typeof typed === "string" ? typed : String(stored.values[name] ?? "");
  };
  const isOn = (name: keyof V & string): boolean => {
    const typed: unknown = draft[name];
    return typeof typed === "boolean" ? typed : stored.values[name] === true;
  };
  const isChanged = (name: keyof V & string): boolean =>
    typeof stored.values[name] === "boolean"
      ? isOn(name) !== stored.values[name]
      : textOf(name).trim() !== String(stored.values[name] ?? "");
  const changed = known.filter(isChanged);
  const set = (name: keyof V & string, value: boolean | string) => {
    overwrite.onEdit([name]);
    setDraft((before) => ({ ...before, [name]: value }));
    setMessages((before) => Object.fromEntries(Object.entries(before).filter(([other]) => other !== name)));
    setError(undefined);
  };
  const reset = (saved?: Draft<V>) => {
    setDraft((before) => changesSince(before, saved));
    setMessages({});
    setError(undefined);
    overwrite.onReset(saved);
  };
  const messageOf = (name: keyof V & string): string | undefined => {
    if (typeof stored.values[name] === "number") return numberMessage(name, textOf(name).trim());
    return typeof stored.values[name] === "string" ? check?.(name, textOf(name).trim()) : undefined;
  };
  const valueOf = (name: keyof V & string): Value => {
    if (typeof stored.values[name] === "boolean") return isOn(name);
    const text = textOf(name).trim();
    return typeof stored.values[name] === "number" ? Number(text) : text;
  };
  const show = (found: Readonly<Record<string, string>>) => {
    setMessages(found);
    const first = Object.keys(found)[0] ?? "";
    form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus();
  };
  const submit = async () => {
    const found = Object.fromEntries(
      changed.flatMap((name) => {
        const message = messageOf(name);
        return message ? [[name, message]] : [];
      }),
    );
    if (Object.keys(found).length > 0) return show(found);
    const warning = overwrite.warn(changed, (name) => names[name] ?? "");
    setError(warning);
    if (warning) return;
    const values = Object.fromEntries(changed.map((name) => [name, valueOf(name)])) as Partial<V>;
    const confirmation = question?.(values);
    if (!confirmation) return send(values);
    openConfirmation({ ...confirmation, cancel: "Keep editing", busy: "Saving...", onConfirm: () => send(values) });
  };
  const send = async (values: Partial<V>) => {
    setBusy(true);
    closeErrors();
    try {
      await save({ values, version: stored.version });
      reset(draft);
      toast({ title: "Success", text: "Your settings have been updated successfully." });
    } catch (failure) {
      const { message, fields } = apiErrorOf(failure);
      const named = Object.entries(fields).map(([name, text]) => [name.replace(/^values\./, ""), text]);
      show(Object.fromEntries(named) as Record<string, string>);
      setError(named.some(([name]) => name && name in names) ? undefined : message);
      toast({ tone: "error", title: "Error", text: "Failed to save settings. Please try again." });
    }
    setBusy(false);
  };
  const wrong = known.filter((name) => messages[name]).map((name) => names[name]);
  return {
    textOf,
    isOn,
    set,
    field: (name: keyof V & string) => ({
      name,
      value: textOf(name),
      error: messages[name],
      onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
    }),
    numberField: (name: keyof V & BoundedSetting) => ({
      name,
      value: textOf(name),
      error: messages[name],
      bounds: bounds[name],
      onChange: (text: string) => set(name, text),
    }),
    switchField: (name: keyof V & string) => ({
      name,
      checked: isOn(name),
      onChange: (on: boolean) => set(name, on),
    }),
    bar: {
      changes: changed.map((name) => names[name] ?? ""),
      error: wrong.length > 0 ? `Check ${wrong.join(", ")}.` : error,
      busy,
      onUndo: () => reset(),
    },
    props: {
      ref: form,
      noValidate: true,
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        if (!busy && changed.length > 0) void submit();
      },
    },
  };
}

function numberMessage(name: string, text: string): string | undefined {
  const limits: Readonly<Record<string, { min: number; max: number }>> = bounds;
  const { min, max } = limits[name] ?? { min: 0, max: Number.MAX_SAFE_INTEGER };
  const amount = Number(text);
  return /^\d{1,6}$/.test(text) && amount >= min && amount <= max
    ? undefined
    : `Enter a whole number from ${min} to ${max}.`;
}
