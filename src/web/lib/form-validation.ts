/** What is wrong with a form, in sentences beside the fields. The server checks again; these only come sooner. */

export type ValidationMessages<Name extends string> = Partial<Record<Name, string>>;

/** The text of a field, without spaces around it; empty when the form has no such field. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** Says what is wrong with an e-mail address, or undefined. An ending is asked for: without one no mail arrives. */
export function emailMessage(address: string, why: string): string | undefined {
  if (!/^[^\s@]+@[^\s@]+$/.test(address))
    return `This is not an e-mail address. Write it like name@example.com so that ${why}.`;
  if (!/^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(address))
    return `This address has no ending such as .com. Add it so that ${why}.`;
  return undefined;
}

/** Moves to the first field with a sentence, so that nobody has to look for it. */
export function focusFirstInvalid(
  form: HTMLFormElement,
  sentences: Readonly<Record<string, string | undefined>>,
): void {
  for (const control of form.elements) {
    if (
      control instanceof HTMLElement &&
      "name" in control &&
      typeof control.name === "string" &&
      sentences[control.name]
    )
      return control.focus();
  }
}
