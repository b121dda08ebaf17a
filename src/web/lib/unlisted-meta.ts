import type { MetaDescriptor } from "react-router";

/** Returns the title of a page that search engines must not list. `isSecret`: its address contains a secret, so it sends no referrer. */
export const unlistedMeta = (title: string, isSecret = false): MetaDescriptor[] => [
  { title },
  { name: "robots", content: "noindex" },
  ...(isSecret ? [{ name: "referrer", content: "no-referrer" }] : []),
];

/** Returns the headers of a page that a secret in its address or the browser's cookies open. */
export const privateHeaders = () => ({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
