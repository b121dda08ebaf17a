import { type FormEvent, useState } from "react";
import { apiErrorOf } from "../lib/api-error.ts";
import { focusFirstInvalid, textOf, type ValidationMessages } from "../lib/form-validation.ts";

type Options = Readonly<{
  name: string;
  min: number;
  /** Shown at the field if the text is shorter than `min`. */
  message?: string;
  check?(data: FormData): ValidationMessages<string>;
  send(text: string, data: FormData): Promise<unknown>;
}>;

/** A form of one text, sent once at a time. `error` is why `send` failed, unless the server names the text: then it is `fieldError`, without the field's name. */
export function useTextForm({ name, min, message: short = `Enter at least ${min} characters.`, check, send }: Options) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [fieldError, setFieldError] = useState<string>();
  const submit = async (form: HTMLFormElement) => {
    if (busy) return;
    const data = new FormData(form);
    const text = textOf(data, name);
    const tooShort = text.length < min ? short : undefined;
    setFieldError(tooShort);
    const messages = { ...check?.(data), ...(tooShort ? { [name]: tooShort } : {}) };
    if (Object.keys(messages).length > 0) return focusFirstInvalid(form, messages);
    setBusy(true);
    setError(undefined);
    try {
      await send(text, data);
    } catch (failure) {
      const { message, fields } = apiErrorOf(failure);
      const named = fields[name];
      if (named) {
        setFieldError(named);
        focusFirstInvalid(form, fields);
      } else setError(message);
    }
    setBusy(false);
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit(event.currentTarget);
  };
  return { busy, error, fieldError, onSubmit };
}
