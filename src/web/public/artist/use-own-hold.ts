import { useEffect, useState } from "react";

/** Returns the id of the signed-in promoter's own hold of a night that is on hold. Without a night it loads nothing. */
export function useOwnHold(slug: string, night: string | undefined): string | undefined {
  const [held, setHeld] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (!night || document.documentElement.dataset["signedIn"] !== "") return;
    let isCurrent = true;
    // The page needs no hold, so a failure changes nothing.
    void loadOwnHolds(slug).then(
      (found) => isCurrent && setHeld(found),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [slug, night]);
  return night ? held.get(night) : undefined;
}

async function loadOwnHolds(slug: string): Promise<ReadonlyMap<string, string>> {
  const { browserApi } = await import("../../lib/api/browser-api.ts");
  const { role } = await browserApi.users.me();
  if (role !== "promoter") return new Map();
  const { items } = await browserApi.calendar.holds.mine();
  return new Map(
    items
      .filter(({ artist }) => artist.slug === slug)
      .flatMap(({ id, nights }) => nights.flatMap(({ night, state }) => (state === "active" ? [[night, id]] : []))),
  );
}
