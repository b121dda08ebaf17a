import { prepare } from "./setup.mjs";
import { command } from "./steps.mjs";

await command(() => prepare({ web: true }));
