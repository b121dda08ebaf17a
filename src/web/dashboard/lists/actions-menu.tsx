/** The one menu of a row or card. Order of its items: what moves the row on, look-ups, then below a line what ends it. */
import { Menu } from "@mantine/core";
import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./list.module.css";

/** `name`: what the row is about, for screen readers. */
export const ActionsMenu = ({ name, children }: Readonly<{ name: string; children: ReactNode }>) => (
  <Menu position="bottom-end" width="15rem" shadow="none" transitionProps={{ duration: 0 }}>
    <Menu.Target>
      <button className={styles.menu} type="button" aria-label={`Actions: ${name}`}>
        <Ellipsis size={20} strokeWidth={1.8} aria-hidden />
      </button>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);

/** The last item of a menu, below a line. It opens a question before it does anything. */
export const EndingItem = ({ label, onClick }: Readonly<{ label: string; onClick(): void }>) => (
  <>
    <Menu.Divider />
    <Menu.Item className={styles.ending} onClick={onClick}>
      {label}…
    </Menu.Item>
  </>
);
