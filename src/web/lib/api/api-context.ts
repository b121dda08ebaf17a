import type { ContractRouterClient } from "@orpc/contract";
import { createContext } from "react-router";
import type { Api } from "#app/routing/api.ts";

export type ApiClient = ContractRouterClient<Api>;

export const apiContext = createContext<ApiClient>();

/** Returns a response as the browser receives it: times are ISO strings. */
export const asReceived = <T>(response: unknown): T => JSON.parse(JSON.stringify(response)) as T;
