import { apiErrorOf } from "../../lib/api-error.ts";
import { localMoment } from "../../lib/format/dates.ts";

type Result = Readonly<{ ok: boolean; message: string; took_ms: number; at: string }>;

export function TestResult({ result, error }: Readonly<{ result: Result | undefined; error: unknown }>) {
  if (error)
    return (
      <p className="note cherry" role="alert">
        <strong>The test could not be run.</strong> {apiErrorOf(error).message}
      </p>
    );
  if (!result) return null;
  return (
    <p className={`note ${result.ok ? "green" : "cherry"}`} role="status">
      <strong>{result.ok ? "It works." : "It does not work."}</strong> {result.message} Answered in {result.took_ms} ms,
      today, {localMoment(result.at).time}.
    </p>
  );
}
