export class ResponseTooLarge extends Error {}

/** Returns a `fetch` whose responses fail after `maxBytes`, decompressed: few bytes may expand to very many. */
export const limitedFetch =
  (maxBytes: number) =>
  async (...call: Parameters<typeof fetch>): Promise<Response> => {
    const response = await fetch(...call);
    let left = maxBytes;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform: (part, controller) => {
        left -= part.length;
        if (left >= 0) controller.enqueue(part);
        else controller.error(new ResponseTooLarge(`The response has more than ${maxBytes} bytes.`));
      },
    });
    return response.body ? new Response(response.body.pipeThrough(limit), response) : response;
  };
