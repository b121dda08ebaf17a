import { useLocation, useNavigate } from "react-router";
import { comparedSlugs, maxCompared } from "#artists/compare/compare.rules.ts";
import { toast } from "../../lib/toasts.ts";

/** The next change waits for this one, so two quick clicks lose none. */
let lastChange: Promise<unknown> = Promise.resolve();

/** The artists to compare. The address stores them for reload, links and history. */
export function useCompare() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const chosen = comparedSlugs(new URLSearchParams(search).get("compare"));
  const change = async (slug: string, isMarked: boolean): Promise<boolean> => {
    const params = new URLSearchParams(globalThis.location.search);
    const others = comparedSlugs(params.get("compare")).filter((one) => one !== slug);
    if (globalThis.location.pathname !== pathname) return isMarked;
    if (isMarked && others.length >= maxCompared) {
      toast({ tone: "error", title: `You can compare ${maxCompared} acts`, text: "Remove one first." });
      return false;
    }
    const marked = isMarked ? [...others, slug] : others;
    if (marked.length > 0) params.set("compare", marked.join(","));
    else params.delete("compare");
    await navigate({ pathname, search: String(params) }, { replace: true, preventScrollReset: true });
    return isMarked;
  };
  /** Adds or removes an artist. Resolves to true if the artist is now marked. */
  const mark = (slug: string, isMarked: boolean): Promise<boolean> => {
    const changed = lastChange.then(() => change(slug, isMarked));
    // The caller handles a failed change. The next one runs anyway.
    lastChange = changed.catch(() => undefined);
    return changed;
  };
  return { chosen, mark };
}
