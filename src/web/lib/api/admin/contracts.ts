import { useMutation, useQuery } from "@tanstack/react-query";
import { uploadFile } from "../../upload/upload-file.ts";
import type { browserApi } from "../browser-api.ts";
import { orpc, useCommand } from "../query.ts";

const calls = orpc.bookings.contract.admin;

export type ContractWithEvidence = Awaited<ReturnType<typeof browserApi.bookings.contract.admin.read>>;

export const useContract = (id: string) => useQuery(calls.read.queryOptions({ input: { id } }));

export const useSendContractAgain = () => useCommand(calls.sendAgain, orpc.bookings.key());

export type StoredSignedDocument = Readonly<{ sha256: string; pages: number; bytes: number }>;

/** A newer document replaces it until Mark Signed uses it. */
export const uploadSignedDocument = (contractId: string, file: File): Promise<StoredSignedDocument> =>
  uploadFile<StoredSignedDocument>(
    `/api/admin/contracts/${encodeURIComponent(contractId)}/paper`,
    file,
    () => undefined,
  );

const templates = orpc.bookings.contract.templates;

export type ContractTemplate = Awaited<ReturnType<typeof browserApi.bookings.contract.templates.read>>;
export type TemplatePreview = Awaited<ReturnType<typeof browserApi.bookings.contract.templates.preview>>;

export const useTemplates = () => useQuery(templates.list.queryOptions());

export const useTemplate = (id: string, version: number | undefined) =>
  useQuery(templates.read.queryOptions({ input: { id, ...(version ? { version } : {}) } }));

export const useSaveTemplate = () => useCommand(templates.save, templates.key());

export const usePreviewTemplate = () => useMutation(templates.preview.mutationOptions());

export const usePreviewBookings = () => useQuery(orpc.bookings.listAll.queryOptions({ input: { limit: 25 } }));
