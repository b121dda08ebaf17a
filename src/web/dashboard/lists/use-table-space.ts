import { useSyncExternalStore } from "react";

/** The least width of a table, in rem: the container query of list.module.css. */
const tableFromRem = 48;

/** Undefined without a layout, as in a test: the list then renders both forms. */
export const useTableSpace = (): boolean | undefined => useSyncExternalStore(subscribe, hasSpace, () => undefined);

const main = () => document.getElementById("main");

function hasSpace(): boolean | undefined {
  const page = main();
  if (!page?.clientWidth) return undefined;
  const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(page);
  const width = page.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd);
  return width > tableFromRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}

function subscribe(onChange: () => void): () => void {
  const page = main();
  if (!page) return () => undefined;
  const observer = new ResizeObserver(() => {
    if (!window.matchMedia("print").matches) onChange();
  });
  observer.observe(page);
  return () => observer.disconnect();
}
