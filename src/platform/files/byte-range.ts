import type { FastifyReply } from "fastify";

/** Returns the first and last byte of a `Range` header, null if it cannot be served, undefined to send the whole file. */
export function byteRangeOf(header: string | undefined, size: number) {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  const isReversed = from !== "" && to !== "" && Number(to) < first;
  if (first >= size || isReversed || (from === "" && Number(to) === 0)) return null;
  return { first, last };
}

/** Sends the file, or the part that the header names (206, or 416 if there is none). */
export function sendBytes(reply: FastifyReply, bytes: Buffer, header: string | undefined): FastifyReply {
  const range = byteRangeOf(header, bytes.length);
  reply.header("accept-ranges", "bytes");
  if (range === undefined) return reply.send(bytes);
  if (range === null) return reply.code(416).header("content-range", `bytes */${bytes.length}`).send();
  const { first, last } = range;
  reply.code(206).header("content-range", `bytes ${first}-${last}/${bytes.length}`);
  return reply.send(bytes.subarray(first, last + 1));
}
