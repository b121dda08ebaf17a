import { afterEach } from "vitest";
import { closeToast, currentToasts } from "./toasts.ts";

afterEach(() => currentToasts().forEach(({ id }) => closeToast(id)));
