import { apiErrorOf } from "../../lib/api-error.ts";
import { ErrorState } from "../../ui/states/states.tsx";

export function PageFailed({ error }: { error: unknown }) {
  const { reference } = apiErrorOf(error);
  return (
    <div className="wrap">
      <ErrorState
        heading="h1"
        title="This page could not be loaded"
        text="Nothing was changed. Please try again in a moment."
        reference={reference}
        onRetry={() => window.location.reload()}
      />
    </div>
  );
}
