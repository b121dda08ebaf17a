/** One contract whole, for admins, and what they do with it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc } from "./query.ts";
import { uploadFile } from "../upload/upload-file.ts";

const calls = orpc.bookings.contract.admin;

/** A contract with its evidence; dates are ISO strings. */
export type ContractWithEvidence = Awaited<ReturnType<(typeof browserApi)["bookings"]["contract"]["admin"]["read"]>>;

/** The contract; read again on every notification about bookings. */
export const useContract = (id: string) => useQuery(calls.read.queryOptions({ input: { id } }));

/** Sends whoever has not signed a new link. */
export function useSendContractAgain() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: orpc.bookings.key() });
  return useMutation(calls.sendAgain.mutationOptions({ onSuccess }));
}

/** A paper as the server has stored it. */
export type StoredPaper = Readonly<{ sha256: string; pages: number; bytes: number }>;

/** Stores the signed paper of a contract; until Mark Signed names it, a newer one replaces it. */
export const uploadPaper = (contractId: string, file: File): Promise<StoredPaper> =>
  uploadFile<StoredPaper>(`/api/admin/contracts/${encodeURIComponent(contractId)}/paper`, file, () => undefined);

const templates = orpc.bookings.contract.templates;

/** A template in one version, with its versions. */
export type ContractTemplate = Awaited<ReturnType<(typeof browserApi)["bookings"]["contract"]["templates"]["read"]>>;
export type TemplatePreview = Awaited<ReturnType<(typeof browserApi)["bookings"]["contract"]["templates"]["preview"]>>;

/** Every template in its newest version. */
export const useTemplates = () => useQuery(templates.list.queryOptions());

/** One template: its newest version, or the one that is asked for. */
export const useTemplate = (id: string, version: number | undefined) =>
  useQuery(templates.read.queryOptions({ input: { id, ...(version ? { version } : {}) } }));

/** Saves a text as the next version. */
export function useSaveTemplate() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: templates.key() });
  return useMutation(templates.save.mutationOptions({ onSuccess }));
}

/** Makes the contract of a booking from a text; nothing is stored. */
export const usePreviewTemplate = () => useMutation(templates.preview.mutationOptions());

/** The newest bookings, to try a template with. */
export const usePreviewBookings = () => useQuery(orpc.bookings.listAll.queryOptions({ input: { limit: 25 } }));
