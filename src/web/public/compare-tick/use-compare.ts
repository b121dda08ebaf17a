import { useLocation, useNavigate } from "react-router";
import { comparedSlugs, mostCompared } from "#artists/compare/compare.rules.ts";
import { toast } from "../../ui/toaster.tsx";

/** The last change of the address. The next one waits for it, so that of two quick marks none is lost. */
let lastChange: Promise<unknown> = Promise.resolve();

/** The artists that are marked to be compared. The choice is in the address, so a reload, a link and going back have it. */
export function useCompare() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const chosen = comparedSlugs(new URLSearchParams(search).get("compare"));
  const change = async (slug: string, isMarked: boolean): Promise<boolean> => {
    const params = new URLSearchParams(globalThis.location.search);
    const others = comparedSlugs(params.get("compare")).filter((one) => one !== slug);
    // Another page was opened meanwhile.
    if (globalThis.location.pathname !== pathname) return isMarked;
    if (isMarked && others.length >= mostCompared) {
      toast({ tone: "error", title: `You can compare ${mostCompared} acts`, text: "Remove one first." });
      return false;
    }
    const marked = isMarked ? [...others, slug] : others;
    if (marked.length > 0) params.set("compare", marked.join(","));
    else params.delete("compare");
    await navigate({ pathname, search: String(params) }, { replace: true, preventScrollReset: true });
    return isMarked;
  };
  /** Marks an artist or takes the mark away. Returns whether the artist is marked now. */
  const mark = (slug: string, isMarked: boolean): Promise<boolean> => {
    const changed = lastChange.then(() => change(slug, isMarked));
    // A change that failed is its caller's to report; the next one goes ahead.
    lastChange = changed.catch(() => undefined);
    return changed;
  };
  return { chosen, mark };
}
