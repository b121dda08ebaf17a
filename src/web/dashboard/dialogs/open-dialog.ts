import { modals } from "@mantine/modals";
import type { ReactNode } from "react";

type Settings = Pick<Parameters<typeof modals.open>[0], "size" | "closeOnClickOutside" | "withCloseButton" | "onClose">;

/** Opens a dialog; its content gets the function that closes it. */
export function openDialog(title: string, content: (onClose: () => void) => ReactNode, more: Settings = {}): void {
  const id = modals.open({ title, children: content(() => modals.close(id)), ...more });
}

/** Opens a dialog that its own buttons and Escape close, so that a press beside it loses nothing that was typed. */
export const openForm = (...[title, content, more]: Parameters<typeof openDialog>): void =>
  openDialog(title, content, { closeOnClickOutside: false, withCloseButton: false, ...more });
