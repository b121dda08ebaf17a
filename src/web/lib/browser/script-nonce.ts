import { createContext as createReactContext } from "react";
import { createContext } from "react-router";

export const scriptNonceContext = createContext<string | undefined>(undefined);

/** Undefined in the browser, where the finished page has no nonces. */
export const ScriptNonce = createReactContext<string | undefined>(undefined);
