import { Menu } from "@mantine/core";
import { useId } from "react";
import { paths } from "#platform/site-paths.rules.ts";
import { ActionsMenu, MenuLink } from "../../dashboard/lists/list-cells.tsx";
import { Switch } from "../../dashboard/switch.tsx";
import { type AdminArtist, useChangeArtist } from "../../lib/api/admin/artists.ts";
import { attempt } from "../../lib/attempt.ts";
import styles from "./artists.module.css";

type Props = Readonly<{ artist: AdminArtist }>;

export function ActiveSwitch({ artist }: Props) {
  const change = useChangeArtist();
  const field = useId();
  const { id, name } = artist;
  const set = (active: boolean, undone = false) =>
    attempt(() => change.mutateAsync({ id, is_active: active }), {
      title: `${name} is ${active ? "active" : "inactive"}${undone ? " again" : ""}`,
      text: active
        ? "Can be found and booked."
        : "Can neither be found nor booked. We release the holds on its nights within a minute. Open requests cannot be paid or accepted. Existing bookings are not affected.",
      ...(undone ? {} : { action: { label: "Undo", run: () => void set(!active, true) } }),
    });
  const active = change.isPending ? change.variables.is_active === true : artist.is_active;
  return (
    <label className={styles.state} htmlFor={field}>
      <Switch
        name={field}
        label={`${name} can be found and booked`}
        checked={active}
        busy={change.isPending}
        onChange={(checked) => void set(checked)}
      />
      {active ? "Active" : "Inactive"}
    </label>
  );
}

/** The menu of a row. The home page shows the artists that were featured last. */
export function ArtistMenu({ artist }: Props) {
  const change = useChangeArtist();
  const { id, slug, name, is_featured: featured } = artist;
  const isShown = artist.is_active && artist.is_public;
  const feature = () =>
    attempt(
      () => change.mutateAsync({ id, is_featured: !featured }),
      featured
        ? { title: `${name} is no longer featured` }
        : {
            title: `${name} is featured`,
            text: isShown
              ? "The home page shows the four that you featured last."
              : "The home page shows this artist once the profile is active and public.",
          },
    );
  const allowName = () =>
    attempt(() => change.mutateAsync({ id, allow_shared_name: true }), {
      title: "Name allowed",
      text: `The published acts that have the name ${name} may keep it.`,
    });
  return (
    <ActionsMenu name={name}>
      {artist.shares_name ? <Menu.Item onClick={() => void allowName()}>Allow same name</Menu.Item> : null}
      <Menu.Item onClick={() => void feature()}>{featured ? "Unfeature" : "Feature"}</Menu.Item>
      <MenuLink to={paths.admin.artist(id)}>Edit artist</MenuLink>
      {isShown ? <MenuLink to={paths.artist(slug)}>Public profile</MenuLink> : null}
    </ActionsMenu>
  );
}
