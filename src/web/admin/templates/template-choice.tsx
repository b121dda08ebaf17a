import { NativeSelect } from "@mantine/core";
import { SectionFailed } from "../../dashboard/section-failed.tsx";
import styles from "../../dashboard/settings/settings.module.css";
import { useTemplates } from "../../lib/api/admin-contracts.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { LinkButton } from "../../ui/button.tsx";

type Field = Readonly<{
  name: string;
  value: string;
  error: string | undefined;
  onChange(event: { currentTarget: { value: string } }): void;
}>;

/** The template that ships. An installation without a choice has none stored. */
const shipped = "standard";

export function TemplateChoice({ field, stored }: Readonly<{ field: Field; stored: string }>) {
  const { data, error, isFetching, refetch } = useTemplates();
  if (error && !isFetching && !data)
    return <SectionFailed what="The templates" error={error} onRetry={() => void refetch()} />;
  const options = (data?.items ?? []).map(({ id, title, version }) => ({
    value: id === shipped && stored !== shipped ? "" : id,
    label: `${title} (${id}, version ${version})`,
  }));
  return (
    <>
      <NativeSelect
        label="Default Contract Template ID"
        description="New contracts use the newest version of this template."
        data={options}
        disabled={!data}
        {...field}
      />
      <div className={styles.row}>
        <LinkButton tone="line" to={paths.admin.contractTemplates}>
          Edit templates
        </LinkButton>
      </div>
    </>
  );
}
