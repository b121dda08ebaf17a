import { Menu } from "@mantine/core";
import { Ellipsis } from "lucide-react";
import { type ReactNode, type ComponentProps, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { posterUrl, type PosterSubject } from "#artists/rules.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import styles from "./list.module.css";

export const CardLink = ({ to, children }: Readonly<{ to: string; children: ReactNode }>) => (
  <Link className={styles.open} to={to} preventScrollReset={to.startsWith("?")}>
    {children}
  </Link>
);

type RowLinkProps = Readonly<{
  to: string;
  name: string;
  more?: ReactNode;
  moreTitle?: string;
  artist?: PosterSubject | undefined;
}>;

export function RowLink({ to, name, more, moreTitle, artist }: RowLinkProps) {
  const link = (
    <CardLink to={to}>
      <span className={styles.strong} title={name}>
        {name}
      </span>
      {more ? <small title={moreTitle ?? titleOf(more)}> {more}</small> : null}
    </CardLink>
  );
  if (!artist) return link;
  return (
    <span className={styles.artist}>
      <img className={styles.mark} src={posterUrl(artist, "mark")} width={200} height={200} alt="" loading="lazy" />
      {link}
    </span>
  );
}

export const TwoLines = ({ first, second }: Readonly<{ first: ReactNode; second: ReactNode }>) => (
  <>
    {typeof first === "string" ? <span title={first}>{first}</span> : first}
    {second ? <small title={titleOf(second)}>{second}</small> : null}
  </>
);

const titleOf = (content: ReactNode): string | undefined => (typeof content === "string" ? content : undefined);

type MenuProps = Readonly<{
  name: string;
  children: ReactNode;
}>;

/** The menu of a row or card: next steps, lookups, then below a line the destructive items. Renders from the first click on, because fifty closed menus would cost more than the list. */
export function ActionsMenu({ name, children }: MenuProps) {
  const [isUsed, setUsed] = useState(false);
  return isUsed ? (
    <UsedMenu name={name}>{children}</UsedMenu>
  ) : (
    <MenuButton name={name} aria-haspopup="menu" aria-expanded={false} onClick={() => setUsed(true)} />
  );
}

function UsedMenu({ name, children }: MenuProps) {
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
