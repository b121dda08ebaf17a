/** The dashboards' forms: @mantine/form, the rules of lib/form-validation.ts, and server errors at their fields. */

import { useForm } from "@mantine/form";
import { randomId } from "@mantine/hooks";
import { modals } from "@mantine/modals";
import { type FormEvent, useId, useRef, useState, type ComponentProps, type ReactNode } from "react";
import { apiErrorOf } from "../../lib/api-error.ts";
import { focusInvalid } from "../../lib/browser/announce.ts";
import { closeErrors, type Message, toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/states/error-note.tsx";
import { TypedTextGuard } from "../dialogs/typed-text-guard.tsx";
import dialog from "../dialogs/dialog.module.css";

type Rule<Values> = (value: string, values: Values) => string | undefined;

type Options<Values extends Record<string, string>> = Readonly<{
  initialValues: Values;
  validate?: { readonly [Name in keyof Values]?: Rule<Values> };
  send(values: Values): Promise<unknown>;
  done?: Message;
  onClose?(): void;
  fallback?: keyof Values & string;
  /** Fields that are not trimmed, such as a password. */
  verbatim?: readonly (keyof Values & string)[];
}>;

export function useApiForm<Values extends Record<string, string>>(options: Options<Values>) {
  const { initialValues, validate = {}, send, done, onClose, fallback, verbatim = [] } = options;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const sent = useRef<Record<string, string>>(initialValues);
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
  const showFirst = (errors: Readonly<Record<string, ReactNode>>) => {
    const [first] = Object.entries(errors);
    if (!first) return;
    const node = form.getInputNode(first[0]);
    // The node of a group of radios is their wrapper, which cannot take the focus.
    focusInvalid(node?.querySelector("input") ?? node, first[1]);
  };
  const fail = (failure: unknown) => {
    const { message, fields } = apiErrorOf(failure);
    const named = Object.fromEntries(Object.entries(fields).filter(([name]) => name in initialValues));
    const errors = Object.keys(named).length === 0 && fallback ? { [fallback]: message } : named;
    if (Object.keys(errors).length === 0) return setError(message);
    form.setErrors(errors);
    showFirst(errors);
  };
  const valid = form.onSubmit(async (values) => {
    setBusy(true);
    try {
      const prepared = Object.entries(values).map(([name, value]) => [name, prepare(name, value)]);
      await send(Object.fromEntries(prepared) as Values);
      if (done) toast(done);
      onClose?.();
    } catch (failure) {
      fail(failure);
    }
    setBusy(false);
  }, showFirst);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog inside another form would submit that form too.
    event.stopPropagation();
    if (busy) return;
    setError(undefined);
    closeErrors();
    sent.current = form.getValues();
    valid(event);
  };
  return {
    busy,
    error,
    values: form.values as Values,
    reset: form.reset,
    changed: Object.keys(initialValues).filter((name) => form.isDirty(name)) as (keyof Values & string)[],
    /** What was typed since the form was sent is not saved. */
    markSaved: () => {
      form.setInitialValues(sent.current);
      form.resetDirty(sent.current);
    },
    field: (name: keyof Values & string) => ({ name, ...form.getInputProps(name) }),
    setValue: (name: keyof Values & string, value: string) => form.setFieldValue(name as string, value),
    setFieldError: (name: keyof Values & string, message: string) => {
      form.setFieldError(name, message);
      showFirst({ [name]: message });
    },
    /** Props of the form element. Its own messages replace the browser's. */
    props: { noValidate: true, onSubmit },
  };
}

type DialogFormProps = Readonly<{
  text?: ReactNode;
  form: Pick<ReturnType<typeof useApiForm>, "props" | "error" | "busy">;
  submit: string;
  busyLabel: string;
  cancel?: string;
  tone?: ComponentProps<typeof Button>["tone"];
  disabled?: boolean;
  busy?: boolean;
  focusCancel?: boolean;
  onClose(): void;
  children: ReactNode;
}>;

export function DialogForm({ text, children, ...props }: DialogFormProps) {
  const { form, submit, busyLabel, cancel = "Cancel", tone = "main", disabled, busy, focusCancel, onClose } = props;
  const contentId = useId();
  return (
    <>
      {text ? <p className={dialog.text}>{text}</p> : null}
      <form ref={markFirstField} className={dialog.form} {...form.props}>
        <div className={dialog.content} id={contentId}>
          {children}
        </div>
        <ErrorNote message={form.error} />
        <div className={dialog.actions}>
          <Button
            tone="line"
            onClick={onClose}
            // A form that replaces the content of an open dialog takes the focus itself.
            autoFocus={focusCancel}
            data-autofocus={focusCancel || undefined}
            aria-describedby={focusCancel ? contentId : undefined}
          >
            {cancel}
          </Button>
          <Button type="submit" tone={tone} disabled={disabled} busy={form.busy || busy} busyLabel={busyLabel}>
            {submit}
          </Button>
        </div>
      </form>
    </>
  );
}

/** Gives the first field the focus instead of the dialog's Close button, which comes before it. */
function markFirstField(form: HTMLFormElement | null): void {
  if (form?.querySelector("[data-autofocus]")) return;
  form?.querySelector("input, select, textarea, button")?.setAttribute("data-autofocus", "");
}

type DialogSettings = Pick<
  Parameters<typeof modals.open>[0],
  "size" | "closeOnClickOutside" | "closeOnEscape" | "withCloseButton" | "onClose"
>;

export function openDialog(
  title: string,
  content: (onClose: () => void) => ReactNode,
  more: DialogSettings = {},
): void {
  const id = randomId();
  const children = <TypedTextGuard dialogId={id}>{content(() => modals.close(id))}</TypedTextGuard>;
  modals.open({ modalId: id, title, children, ...more });
}

/** Opens a dialog that a click outside does not close, because it would discard the input. */
export const openForm = (...[title, content, more]: Parameters<typeof openDialog>): void =>
  openDialog(title, content, { closeOnClickOutside: false, ...more });
