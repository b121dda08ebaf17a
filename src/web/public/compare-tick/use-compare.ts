import { useLocation, useNavigate, useNavigation } from "react-router";
import { comparedSlugs, mostCompared } from "#artists/compare/compare.rules.ts";
import { toast } from "../../ui/toaster.tsx";

/** The artists that are marked to be compared. The choice is in the address, so a reload, a link and going back have it. */
export function useCompare() {
  const { pathname, search: shown } = useLocation();
  const navigate = useNavigate();
  // Two marks in quick succession: the second one knows the first, whose navigation is still under way.
  const { location: next } = useNavigation();
  const search = next?.pathname === pathname ? next.search : shown;
  const chosen = comparedSlugs(new URLSearchParams(search).get("compare"));
  /** Marks an artist or takes the mark away. Returns whether the artist is marked now. */
  const toggle = (slug: string): boolean => {
    const isChosen = chosen.includes(slug);
    if (!isChosen && chosen.length >= mostCompared) {
      toast({ tone: "error", title: `You can compare ${mostCompared} acts`, text: "Remove one first." });
      return false;
    }
    const marked = isChosen ? chosen.filter((one) => one !== slug) : [...chosen, slug];
    const params = new URLSearchParams(search);
    if (marked.length > 0) params.set("compare", marked.join(","));
    else params.delete("compare");
    void navigate({ pathname, search: String(params) }, { replace: true, preventScrollReset: true });
    return !isChosen;
  };
  return { chosen, toggle };
}
