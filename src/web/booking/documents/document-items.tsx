import { Menu } from "@mantine/core";
import { documentNames } from "#invoicing/rules.ts";
import { openFile } from "../../lib/open-file.ts";
import type { BookingDocument } from "./document-list.tsx";

export const DocumentItems = ({ documents }: Readonly<{ documents: readonly BookingDocument[] }>) =>
  documents.map(({ id, kind, number }) => (
    <Menu.Item key={id} onClick={() => void openFile((api) => api.documents.link({ id }))}>
      {documentNames[kind]} {number}
      <span className="sr"> (opens in a new tab)</span>
    </Menu.Item>
  ));
