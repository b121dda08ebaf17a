/** Parses the Stripe-Signature header strictly: one `t`, at least one `v1`. The SDK would accept several timestamps. */

/** Returns the signing time in seconds since 1970. Undefined if the header is malformed. */
export function signedAtOf(header: string | undefined): number | undefined {
  const items = (header ?? "").split(",").map((item) => /^([a-z]\w{0,15})=([\w-]{1,128})$/.exec(item));
  if (items.some((item) => item === null)) return undefined;
  const valuesOf = (scheme: string) => items.flatMap((item) => (item?.[1] === scheme ? [item[2] ?? ""] : []));
  const [timestamp = "", ...others] = valuesOf("t");
  const signatures = valuesOf("v1");
  if (others.length > 0 || !/^\d{1,12}$/.test(timestamp) || signatures.length === 0) return undefined;
  return signatures.every((signature) => /^[0-9a-f]{64}$/.test(signature)) ? Number(timestamp) : undefined;
}
