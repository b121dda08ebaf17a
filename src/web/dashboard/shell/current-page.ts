/** Whether an item of the navigation is the page that is shown, or leads to it. An address with a query is current with this query only. */
export function isCurrent(location: Readonly<{ pathname: string; search: string }>, to: string, end = false): boolean {
  const [path = "", query] = to.split("?");
  if (query) return location.pathname === path && location.search.slice(1).split("&").includes(query);
  return location.pathname === path || (!end && location.pathname.startsWith(`${path}/`));
}
