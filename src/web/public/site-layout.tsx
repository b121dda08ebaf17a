import { useEffect } from "react";
import { Outlet, useMatches } from "react-router";
import { SiteChrome } from "./site-chrome.tsx";

/** The frame of all pages outside the dashboards. A route whose `handle.wall` is true reaches down to the footer. */
export default function SiteLayout() {
  const wall = useMatches().some(
    ({ handle }) => !!handle && typeof handle === "object" && "wall" in handle && handle.wall === true,
  );
  useEffect(() => void checkSession(), []);
  return (
    <SiteChrome wall={wall}>
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
