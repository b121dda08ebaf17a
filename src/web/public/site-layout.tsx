import { useEffect } from "react";
import { Outlet, useMatches } from "react-router";
import { SiteChrome } from "./site-chrome.tsx";

/** The frame of all pages outside the dashboards. A route's handle says `wall` to reach down to the footer, `bare` to have no menu. */
export default function SiteLayout() {
  const matches = useMatches();
  const says = (word: string) =>
    matches.some(({ handle }) => !!handle && typeof handle === "object" && Reflect.get(handle, word) === true);
  useEffect(() => void checkSession(), []);
  return (
    <SiteChrome wall={says("wall")} bare={says("bare")}>
      <Outlet />
    </SiteChrome>
  );
}

/** The cookie only says that there may be a session; the script that runs then finds out. A visitor loads nothing of this. */
async function checkSession(): Promise<void> {
  if (!/(^|; )signed_in=1/.test(document.cookie)) return;
  const { startSession } = await import("../lib/auth/session.ts");
  await startSession();
}
