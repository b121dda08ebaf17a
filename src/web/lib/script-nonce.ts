/** The mark of the scripts that we write into a page ourselves, by which the server knows them from any other. */
import { createContext as createReactContext } from "react";
import { createContext } from "react-router";

export const scriptNonceContext = createContext<string | undefined>(undefined);

/** How components read it; undefined in the browser, where the finished page contains no nonces. */
export const ScriptNonce = createReactContext<string | undefined>(undefined);
