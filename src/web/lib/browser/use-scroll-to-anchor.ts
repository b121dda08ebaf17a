import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Scrolls to the element if the address has its anchor. The browser cannot, because the element renders after the page. */
export function useScrollToAnchor<E extends HTMLElement>(anchor: string, block: ScrollLogicalPosition = "start") {
  const { hash } = useLocation();
  const element = useRef<E>(null);
  useEffect(() => {
    if (hash === `#${anchor}`) element.current?.scrollIntoView({ block });
  }, [hash, anchor, block]);
  return element;
}
