import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { uploadFile } from "../../upload/upload-file.ts";
import type { browserApi } from "../browser-api.ts";
import { orpc } from "../query.ts";

type OwnSamples = Awaited<ReturnType<typeof browserApi.artists.samples.list>>;
export type OwnSample = OwnSamples["items"][number];

export const useOwnSamples = () => useQuery(orpc.artists.samples.list.queryOptions());

export function useChangeSamples() {
  const queries = useQueryClient();
  const key = orpc.artists.samples.list.queryKey();
  const options = {
    onSuccess: (samples: OwnSamples) => void queries.setQueryData(key, samples),
    scope: { id: "samples" },
  };
  return {
    rename: useMutation(orpc.artists.samples.rename.mutationOptions(options)),
    remove: useMutation(orpc.artists.samples.delete.mutationOptions(options)),
    order: useMutation(
      orpc.artists.samples.order.mutationOptions({
        ...options,
        onMutate: ({ ids }) =>
          void queries.setQueryData(key, (before) => {
            const known = new Map(before?.items.map((sample) => [sample.id, sample]));
            return before && { items: ids.flatMap((id) => known.get(id) ?? []) };
          }),
        onError: () => void queries.invalidateQueries({ queryKey: key }),
      }),
    ),
  };
}

type Upload = Readonly<{
  file: File;
  replaces?: string | undefined;
  signal: AbortSignal;
  onProgress(part: number): void;
}>;

export function useUploadSample() {
  const queries = useQueryClient();
  return async ({ file, replaces, signal, onProgress }: Upload): Promise<void> => {
    const title = file.name.replace(/\.[^.]+$/, "").replaceAll("_", " ");
    const address = `/api/artist/samples${replaces ? `/${replaces}` : ""}?title=${encodeURIComponent(title)}`;
    const samples = await uploadFile<OwnSamples>(address, file, onProgress, signal);
    queries.setQueryData(orpc.artists.samples.list.queryKey(), samples);
  };
}
