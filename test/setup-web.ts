/** Component tests: clean up after each, and let no complaint of React pass. */
import "./setup.ts";
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);
