export function isOnlyComparison(one: URL, other: URL): boolean {
  const rest = ({ pathname, searchParams }: URL) => {
    const params = new URLSearchParams(searchParams);
    params.delete("compare");
    return `${pathname}?${params.toString()}`;
  };
  return one.search !== other.search && rest(one) === rest(other);
}
