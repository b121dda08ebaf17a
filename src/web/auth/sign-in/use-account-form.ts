import { type FormEvent, useEffect, useState } from "react";
import { accountFormMessages, focusFirstInvalid, type ValidationMessages } from "../../lib/form-validation.ts";

/** The next submit clears the server's messages of the last attempt (`refused`). */
export function useAccountForm(busy: boolean, refused: ValidationMessages<string>, onSend: (form: FormData) => void) {
  const [messages, setMessages] = useState<ValidationMessages<string>>({});
  useEffect(() => setMessages(refused), [refused]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const wrong = accountFormMessages(form);
    setMessages(wrong);
    if (Object.keys(wrong).length > 0) focusFirstInvalid(form, wrong);
    else onSend(new FormData(form));
  };
  return { messages, submit };
}

export const noMessages: ValidationMessages<string> = {};
