import { Menu } from "@mantine/core";
import { documentNames } from "#invoicing/rules.ts";
import { useOpenFile } from "../../lib/use-open-file.ts";
import type { BookingDocument } from "./open-document.tsx";

function DocumentItem({ document }: Readonly<{ document: BookingDocument }>) {
  const { open } = useOpenFile((api) => api.documents.link({ id: document.id }));
  return (
    <Menu.Item onClick={() => void open()}>
      {documentNames[document.kind]} {document.number}
      <span className="sr"> (opens in a new tab)</span>
    </Menu.Item>
  );
}

export const DocumentItems = ({ documents }: Readonly<{ documents: readonly BookingDocument[] }>) =>
  documents.map((document) => <DocumentItem key={document.id} document={document} />);
