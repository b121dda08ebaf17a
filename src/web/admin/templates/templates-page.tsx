import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { DataList, type ListColumn } from "../../dashboard/lists/data-list.tsx";
import { CardLink, RowLink, TwoLines } from "../../dashboard/lists/list-cells.tsx";
import { ExportButton } from "../../dashboard/lists/list-filters.tsx";
import { ListFailed, ListLoading } from "../../dashboard/lists/list-states.tsx";
import { PageHead } from "../../dashboard/page-head.tsx";
import { Loaded } from "../../dashboard/section-failed.tsx";
import { useTemplates } from "../../lib/api/admin/contracts.ts";
import { formatPlatformDate } from "../../lib/format/dates.ts";
import { LinkButton } from "../../ui/button.tsx";

export const meta = () => [{ title: "Contract Templates: Admin Panel" }];

type Template = NonNullable<ReturnType<typeof useTemplates>["data"]>["items"][number];

const inForce = (template: Template) =>
  template.in_force ? (
    <span className="badge green" data-done={100}>
      In force
    </span>
  ) : (
    <span className="quiet">not used</span>
  );
const savedOn = ({ saved_at }: Template) => formatPlatformDate(saved_at);
const savedBy = ({ saved_by }: Template) => saved_by ?? "shipped with the product";

const columns: ListColumn<Template>[] = [
  { title: "Name", cell: ({ id }) => <RowLink name={id} to={paths.admin.contractTemplate(id)} />, width: 12 },
  { title: "Title", cell: ({ title }) => title },
  { title: "Version", cell: ({ version }) => version, width: 5.5 },
  { title: "Saved", cell: (template) => <TwoLines first={savedOn(template)} second={savedBy(template)} /> },
  { title: "Use", cell: inForce, width: 7 },
];

export default function AdminTemplatesPage() {
  const templates = useTemplates();
  return (
    <>
      <p className="small">
        <Link to={paths.admin.contracts}>Contracts</Link>
      </p>
      <PageHead
        title="Contract templates"
        actions={
          <>
            <ExportButton list="contractTemplates" filters={{}} />
            <LinkButton to={paths.admin.contractTemplate("new")}>New template</LinkButton>
          </>
        }
      />
      <Loaded query={templates} what="The templates" loading={<ListLoading what="the templates" />} Failed={ListFailed}>
        {({ items }) => (
          <DataList
            caption="Contract templates by name"
            label="Contract templates"
            rows={items}
            columns={columns}
            card={(template) => ({
              title: <CardLink to={paths.admin.contractTemplate(template.id)}>{template.title}</CardLink>,
              lines: [`${template.id}, version ${template.version}`, `${savedOn(template)}, ${savedBy(template)}`],
              foot: inForce(template),
            })}
          />
        )}
      </Loaded>
    </>
  );
}
