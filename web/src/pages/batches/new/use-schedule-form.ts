/**
 * What stands in the form of a new schedule, what is wrong with it, and how it is sent. An error goes away when what it is
 * about is changed.
 */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../../../api/request.ts";
import { rememberSent } from "../again.ts";
import { checkForm, type SheetLimits } from "./check-form.ts";
import { addSheets, type ChosenSheet, looksLikePdf, ofFile, ofUrl, readAddresses } from "./chosen-sheets.ts";
import { rememberSwimmer } from "./last-swimmer.ts";
import { type FormErrors, type FormPart, placeError, sayNoAddress } from "./place-error.ts";
import { useSendSheets } from "./use-send-sheets.ts";

export interface FormBeginning {
  swimmer: string;
  sheets: readonly ChosenSheet[];
}

export function useScheduleForm(begin: FormBeginning, limits: SheetLimits, onWrong: (part: FormPart) => void) {
  const [swimmer, setSwimmer] = useState(begin.swimmer);
  const [sheets, setSheets] = useState(begin.sheets);
  /** Typed and not added yet. */
  const [addresses, setAddresses] = useState("");
  const [email, setEmail] = useState("");
  const [errors, setErrors] = useState<FormErrors>({});
  const { share, send, stop } = useSendSheets();
  const navigate = useNavigate();

  const forget = (part: FormPart) =>
    setErrors((before) => ({ ...before, [part]: undefined, form: undefined }) satisfies FormErrors);
  const show = (wrong: FormErrors) => {
    setErrors(wrong);
    const first = (["swimmer", "sheets", "addresses", "email"] as const).find((part) => wrong[part] !== undefined);
    if (first) onWrong(first);
    return Object.keys(wrong).length > 0;
  };
  const add = (more: readonly ChosenSheet[]) => {
    setSheets((before) => addSheets(before, more));
    forget("sheets");
  };

  const remove = (fits: (sheet: ChosenSheet) => boolean) => {
    setSheets((before) => before.filter((sheet) => !fits(sheet)));
    forget("sheets");
  };

  const submit = async () => {
    // What was typed and not added is meant, too.
    const typed = readAddresses(addresses);
    const all = addSheets(
      sheets,
      typed.addresses.map((address) => ofUrl(address)),
    );
    setSheets(all);
    setAddresses(typed.refused.join("\n"));
    const refused: FormErrors = typed.refused.length > 0 ? { addresses: sayNoAddress(typed.refused) } : {};
    if (show({ ...checkForm(swimmer, all, limits), ...refused })) return;

    const name = swimmer.trim();
    const answer = await send({ swimmer: name, sheets: all, email: email.trim() });
    if (answer instanceof ApiError) {
      if (answer.code !== "ABORTED") show(placeError(answer));
      return;
    }
    rememberSwimmer(name);
    rememberSent(answer.batchId, all);
    await navigate({ to: "/batches/$batchId", params: { batchId: answer.batchId } });
  };

  return {
    swimmer,
    setSwimmer(value: string) {
      setSwimmer(value);
      forget("swimmer");
    },
    sheets,
    addFiles(files: readonly File[]) {
      add(files.filter(looksLikePdf).map(ofFile));
      const others = files.filter((file) => !looksLikePdf(file)).map(({ name }) => name);
      if (others.length === 0) return;
      setErrors((before) => ({ ...before, sheets: `Not a PDF, left out: ${others.join(", ")}` }));
    },
    addUrls(found: readonly { url: string; title?: string }[]) {
      add(found.map(({ url, title }) => ofUrl(url, title)));
    },
    removeSheet({ id }: ChosenSheet) {
      remove((sheet) => sheet.id === id);
    },
    removeUrls(urls: readonly string[]) {
      const ids = urls.map((url) => ofUrl(url).id);
      remove(({ id }) => ids.includes(id));
    },
    addresses,
    setAddresses(text: string) {
      setAddresses(text);
      forget("addresses");
    },
    /** Those that are addresses go to the list; the others stay where they can be put right. */
    addAddresses() {
      const typed = readAddresses(addresses);
      add(typed.addresses.map((address) => ofUrl(address)));
      setAddresses(typed.refused.join("\n"));
      if (typed.refused.length === 0) return;
      setErrors((before) => ({ ...before, addresses: sayNoAddress(typed.refused) }));
    },
    email,
    setEmail(value: string) {
      setEmail(value);
      forget("email");
    },
    errors,
    submit,
    share,
    stop,
  };
}
