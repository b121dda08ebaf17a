/**
 * `npm run bench`: ratios measured in one run on this machine, each with the bar beside it. Needs a PostgreSQL that may
 * create databases in DATABASE_URL_TEST (npm run bench starts the machine's own when there is none).
 */
import { benchApi } from "./api.ts";
import { benchPages } from "./pages.ts";
import { type Figure, printFigures } from "./report.ts";
import { benchSearch } from "./search.ts";
import { startFixture } from "./fixture.ts";
import { benchStart } from "./start.ts";

const figures: Figure[] = [];
await using stage = await startFixture();
figures.push(...(await benchApi(stage)));
figures.push(...(await benchSearch(stage)));
figures.push(...(await benchPages(stage)));
figures.push(...(await benchStart()));
process.exitCode = printFigures(figures) ? 0 : 1;
