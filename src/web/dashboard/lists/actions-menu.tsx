/** The menu of a row or card. Order of its items: next steps, lookups, then below a line the destructive ones. */

import { Menu } from "@mantine/core";
import { Ellipsis } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { IconButton } from "../../ui/icon-button.tsx";
import styles from "./list.module.css";

type Props = Readonly<{
  name: string;
  children: ReactNode;
}>;

/** The menu renders from the first click on, because fifty closed menus would cost more than the list. */
export function ActionsMenu({ name, children }: Props) {
  const [isUsed, setUsed] = useState(false);
  return isUsed ? (
    <UsedMenu name={name}>{children}</UsedMenu>
  ) : (
    <MenuButton name={name} aria-haspopup="menu" aria-expanded={false} onClick={() => setUsed(true)} />
  );
}

function UsedMenu({ name, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // Replaces the clicked button, so it takes the focus and gets it back when the menu closes.
  useEffect(() => {
    button.current?.focus();
    setOpen(true);
  }, []);
  return (
    <Menu
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width="15rem"
      shadow="none"
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <MenuButton ref={button} name={name} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

const MenuButton = ({ name, ...more }: ComponentProps<"button"> & Readonly<{ name: string }>) => (
  <IconButton {...more} className={styles.menu} label={`Actions: ${name}`}>
    <Ellipsis size={20} strokeWidth={1.8} aria-hidden />
  </IconButton>
);

type MenuLinkProps = Readonly<{ to: string; rightSection?: ReactNode; children: ReactNode }>;

export const MenuLink = (props: MenuLinkProps) => <Menu.Item component={Link} {...props} />;

export const DialogItem = ({ children, onClick }: Readonly<{ children: ReactNode; onClick(): void }>) => (
  <Menu.Item className={styles.opensDialog} onClick={onClick}>
    {children}
  </Menu.Item>
);

export const DestructiveItem = ({ label, onClick }: Readonly<{ label: string; onClick(): void }>) => (
  <>
    <Menu.Divider />
    <Menu.Item className={styles.ending} onClick={onClick}>
      {label}…
    </Menu.Item>
  </>
);
