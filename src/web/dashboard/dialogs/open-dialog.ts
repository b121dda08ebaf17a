import { modals } from "@mantine/modals";
import type { ReactNode } from "react";

type Settings = Pick<
  Parameters<typeof modals.open>[0],
  "size" | "closeOnClickOutside" | "closeOnEscape" | "withCloseButton" | "onClose"
>;

export function openDialog(title: string, content: (onClose: () => void) => ReactNode, more: Settings = {}): void {
  const id = modals.open({ title, children: content(() => modals.close(id)), ...more });
}

/** Opens a dialog that a click outside does not close, because it would discard the input. */
export const openForm = (...[title, content, more]: Parameters<typeof openDialog>): void =>
  openDialog(title, content, { closeOnClickOutside: false, ...more });
