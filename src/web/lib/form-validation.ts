import { emailMessage } from "#platform/email-address.rules.ts";

export type ValidationMessages<Name extends string> = Partial<Record<Name, string>>;

export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

export const requiredMessage = (text: string, message: string): string | undefined => (text ? undefined : message);

export function lengthMessage(text: string, min: number, missing?: string): string | undefined {
  if (!text && missing) return missing;
  return text.length < min ? `Enter at least ${min} characters.` : undefined;
}

const emptyFieldMessages: Readonly<Record<string, string>> = {
  email: "Enter your email address.",
  password: "Enter your password.",
  name: "Enter your full name.",
  phone: "Enter your phone number.",
};

export function accountFormMessages(form: HTMLFormElement): ValidationMessages<string> {
  const messages: ValidationMessages<string> = {};
  for (const control of form.elements) {
    if (!(control instanceof HTMLInputElement) || !control.name) continue;
    const value = control.value.trim();
    if (control.required && !value) messages[control.name] = emptyFieldMessages[control.name] ?? "Fill in this field.";
    else if (control.type === "email" && value) {
      const message = emailMessage(value, "we can reach you");
      if (message) messages[control.name] = message;
    } else if (control.type === "tel" && value && !value.startsWith("+"))
      messages[control.name] = "Start with + and the country code, as in +1 512 555 0148.";
  }
  return messages;
}

export function focusFirstInvalid(form: HTMLFormElement, messages: Readonly<Record<string, string | undefined>>): void {
  for (const control of form.elements) {
    if (
      control instanceof HTMLElement &&
      "name" in control &&
      typeof control.name === "string" &&
      messages[control.name]
    )
      return control.focus();
  }
}
