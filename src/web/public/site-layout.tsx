import { useEffect } from "react";
import { Outlet, useMatches } from "react-router";
import { SiteChrome } from "./site-chrome.tsx";

export default function SiteLayout() {
  const matches = useMatches();
  const hasHandle = (name: "wall" | "bare") =>
    matches.some(({ handle }) => (handle as Partial<Record<typeof name, true>> | undefined)?.[name]);
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
