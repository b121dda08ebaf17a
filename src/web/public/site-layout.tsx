import { useEffect } from "react";
import { Outlet, useMatches } from "react-router";
import { SiteChrome } from "./site-chrome.tsx";

export default function SiteLayout() {
  const matches = useMatches();
  const hasHandle = (name: string) =>
    matches.some(({ handle }) => !!handle && typeof handle === "object" && Reflect.get(handle, name) === true);
  useEffect(() => void checkSession(), []);
  return (
    <SiteChrome wall={hasHandle("wall")} bare={hasHandle("bare")}>
      <Outlet />
    </SiteChrome>
  );
}

/** The cookie only suggests a session, so a script checks it. Visitors without it load nothing. */
async function checkSession(): Promise<void> {
  if (!/(^|; )signed_in=1/.test(document.cookie)) return;
  const { startSession } = await import("../lib/auth/session.ts");
  await startSession();
}
