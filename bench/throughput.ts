import autocannon from "autocannon";

const connections = 10;

export type Load = {
  url: string;
  headers?: Record<string, string>;
  /** Makes the JSON body of the next request, which is then a POST. */
  nextBody?: () => unknown;
};

/** Sends requests for a time. Any response other than 2xx is an error. */
export async function throughput({ url, headers = {}, nextBody }: Load, seconds: number): Promise<number> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers,
    ...(nextBody
      ? {
          requests: [
            {
              method: "POST" as const,
              headers: { ...headers, "content-type": "application/json" },
              setupRequest: (request: autocannon.Request) => ({ ...request, body: JSON.stringify(nextBody()) }),
            },
          ],
        }
      : {}),
  });
  if (result.non2xx || result.errors)
    throw new Error(`${url}: ${result.non2xx} responses were not 2xx, ${result.errors} requests failed`);
  return result.requests.average;
}

/** Measures several loads alternately, under the same conditions. Returns the median of each. */
export async function throughputsOf<K extends string>(
  loads: Record<K, Load>,
  { rounds = 5, seconds = 2 } = {},
): Promise<Record<K, number>> {
  const names = Object.keys(loads) as K[];
  const measured = new Map<K, number[]>(names.map((name) => [name, []]));
  for (const name of names) await throughput(loads[name], 2);
  for (let round = 0; round < rounds; round++)
    for (const name of names) measured.get(name)?.push(await throughput(loads[name], seconds));
  return Object.fromEntries([...measured].map(([name, values]) => [name, median(values)])) as Record<K, number>;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
