/**
 * The Stripe-Signature header, read strictly: one timestamp `t`, at least one signature `v1`; other schemes are ignored, as
 * Stripe documents. The SDK takes the last of several timestamps, which would let its age check and ours look at two of them.
 */

/** Seconds since 1970 that the header was signed at, or undefined when the header is malformed. */
export function signedAtOf(header: string | undefined): number | undefined {
  const items = (header ?? "").split(",").map((item) => /^([a-z]\w{0,15})=([\w-]{1,128})$/.exec(item));
  if (items.some((item) => item === null)) return undefined;
  const valuesOf = (scheme: string) => items.flatMap((item) => (item?.[1] === scheme ? [item[2] ?? ""] : []));
  const [timestamp = "", ...others] = valuesOf("t");
  const signatures = valuesOf("v1");
  if (others.length > 0 || !/^\d{1,12}$/.test(timestamp) || signatures.length === 0) return undefined;
  return signatures.every((signature) => /^[0-9a-f]{64}$/.test(signature)) ? Number(timestamp) : undefined;
}
