/** The text of a page as it is corrected. */
import { Textarea } from "@mantine/core";
import type { BookPage } from "../../../../../src/contract/books.ts";
import { useMayWrite } from "../../../access/AccessProvider.tsx";
import styles from "./PageView.module.css";

const placeholders: Record<BookPage["ocr_status"], string> = {
  pending: "The text appears here once the page has been read.",
  processing: "The page is being read …",
  failed: "The page could not be read. You can type its text here.",
  completed: "",
};

export interface TextFieldProps {
  page: BookPage;
  value: string;
  onChange(value: string): void;
}

export function TextField({ page, value, onChange }: TextFieldProps) {
  const mayWrite = useMayWrite();
  return (
    <Textarea
      className={styles.text}
      aria-label={`Text of page ${page.page_num}`}
      placeholder={placeholders[page.ocr_status]}
      readOnly={page.ocr_status === "processing" || !mayWrite}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      spellCheck
    />
  );
}
