/** The dashboards' forms: @mantine/form, the rules of lib/form-validation.ts, and server errors at their fields. */

import { useForm } from "@mantine/form";
import { type FormEvent, useId, useState } from "react";
import { apiErrorOf } from "../lib/api-error.ts";
import { closeErrors } from "../lib/toasts.ts";

type Rule<Values> = (value: string, values: Values) => string | undefined;

type Options<Values extends Record<string, string>> = Readonly<{
  initialValues: Values;
  validate?: { readonly [Name in keyof Values]?: Rule<Values> };
  send(values: Values): Promise<unknown>;
  fallback?: keyof Values & string;
  /** Fields that are not trimmed, such as a password. */
  verbatim?: readonly (keyof Values & string)[];
}>;

export function useApiForm<Values extends Record<string, string>>(options: Options<Values>) {
  const { initialValues, validate = {}, send, fallback, verbatim = [] } = options;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const prepare = (name: string, value: string) => (verbatim.includes(name) ? value : value.trim());
  const form = useForm<Record<string, string>>({
    // Two forms on a page may have fields of the same name.
    name: useId().replaceAll("_", "-"),
    initialValues,
    validate: (values) =>
      Object.fromEntries(
        Object.entries<Rule<Values> | undefined>(validate).map(([name, rule]) => [
          name,
          rule?.(prepare(name, values[name] ?? ""), values as Values) ?? null,
        ]),
      ),
  });
  const fail = (failure: unknown) => {
    const { message, fields } = apiErrorOf(failure);
    const named = Object.entries(fields).filter(([name]) => name in initialValues);
    if (named.length > 0) form.setErrors(Object.fromEntries(named));
    else if (fallback) form.setFieldError(fallback, message);
    else setError(message);
  };
  const valid = form.onSubmit(
    async (values) => {
      setBusy(true);
      try {
        const prepared = Object.entries(values).map(([name, value]) => [name, prepare(name, value)]);
        await send(Object.fromEntries(prepared) as Values);
      } catch (failure) {
        fail(failure);
      }
      setBusy(false);
    },
    (messages) => form.getInputNode(Object.keys(messages)[0] ?? "")?.focus(),
  );
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    // A dialog inside another form would submit that form too.
    event.preventDefault();
    event.stopPropagation();
    if (busy) return;
    setError(undefined);
    closeErrors();
    valid(event);
  };
  return {
    busy,
    error,
    values: form.values as Values,
    reset: form.reset,
    changed: Object.keys(initialValues).filter((name) => form.isDirty(name)) as (keyof Values & string)[],
    markSaved: () => {
      form.setInitialValues(form.getValues());
      form.resetDirty();
    },
    field: (name: keyof Values & string) => ({ name, ...form.getInputProps(name) }),
    setValue: (name: keyof Values & string, value: string) => form.setFieldValue(name as string, value),
    setFieldError: (name: keyof Values & string, message: string) => form.setFieldError(name, message),
    /** Props of the form element. Its own messages replace the browser's. */
    props: { noValidate: true, onSubmit },
  };
}
