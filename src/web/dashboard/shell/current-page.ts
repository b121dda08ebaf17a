/** Subpages match too, unless `end`. An address with a query matches only with this query. */
export function isCurrent(location: Readonly<{ pathname: string; search: string }>, to: string, end = false): boolean {
  const [path = "", query] = to.split("?");
  if (query) return location.pathname === path && location.search.slice(1).split("&").includes(query);
  return location.pathname === path || (!end && location.pathname.startsWith(`${path}/`));
}
