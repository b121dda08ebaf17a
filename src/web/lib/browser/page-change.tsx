import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Components that move the focus themselves do it earlier (ms), as does a closing dialog. */
const patienceMs = 50;

/** Focuses the heading of a new page, from which a screen reader reads. Otherwise the focus stays on the clicked link. The scroll position stays the router's. */
export function PageChange() {
  const { pathname, hash } = useLocation();
  const page = pathname + hash;
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return undefined;
    shown.current = page;
    const timer = setTimeout(() => focusHeading(hash), patienceMs);
    return () => clearTimeout(timer);
  }, [page, hash]);
  return null;
}

function focusHeading(hash: string): void {
  const main = document.querySelector("main");
  const { activeElement } = document;
  if (!main || main.contains(activeElement) || activeElement?.closest("[aria-modal=true], dialog")) return;
  const section = hash ? document.getElementById(hash.slice(1)) : null;
  const target = section?.querySelector<HTMLElement>("h1, h2") ?? main.querySelector<HTMLElement>("h1") ?? main;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
