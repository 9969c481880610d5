/** The form of a new schedule. Whatever is wrong is said where it can be put right. */
import { Box, Button, Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { FileDrop } from "../../../parts/FileDrop.tsx";
import { useDropTarget } from "../../../shell/DropAnywhere.tsx";
import { AddressField } from "./AddressField.tsx";
import { ChosenList } from "./ChosenList.tsx";
import { isTooLarge } from "./check-form.ts";
import { type ChosenSheet, ofUrl } from "./chosen-sheets.ts";
import { readLastSwimmer } from "./last-swimmer.ts";
import { MeetPageField } from "./MeetPageField.tsx";
import type { FormPart } from "./place-error.ts";
import { SendBar } from "./SendBar.tsx";
import { SheetPicker, type Way } from "./SheetPicker.tsx";
import { useLimits } from "./use-limits.ts";
import { type FormBeginning, useScheduleForm } from "./use-schedule-form.ts";

/** Fields name their form: the search on a meet's page is a form of its own, and forms cannot stand in each other. */
const formId = "new-schedule";

export function NewSchedule(begin: FormBeginning) {
  const { canMail, ...limits } = useLimits();
  const [way, setWay] = useState<Way>("files");
  const [last] = useState(readLastSwimmer);
  const swimmerInput = useRef<HTMLInputElement>(null);
  const addressInput = useRef<HTMLTextAreaElement>(null);
  const emailInput = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);

  const goTo = (part: FormPart) => {
    if (part === "swimmer") swimmerInput.current?.focus();
    if (part === "sheets") list.current?.scrollIntoView({ block: "nearest" });
    if (part === "email") emailInput.current?.focus();
    if (part !== "addresses") return;
    setWay("addresses");
    // The field cannot have the focus before its tab is shown.
    requestAnimationFrame(() => addressInput.current?.focus());
  };
  const form = useScheduleForm(begin, limits, goTo);
  useDropTarget("Drop heat sheets (PDF) to add them", form.addFiles);
  const { errors, share } = form;
  const isSending = share !== undefined;
  const isWrong = (sheet: ChosenSheet) =>
    ("file" in sheet && isTooLarge(sheet.file, limits)) || (errors.sheets?.includes(sheet.name) ?? false);

  return (
    <Stack maw={720} gap="md">
      <Paper withBorder p="md">
        <TextInput
          ref={swimmerInput}
          form={formId}
          label="Swimmer's name"
          description='As "First Last" or "Last, First". If two have the same name, add age or team: "Nora Seewald (12)".'
          required
          autoComplete="off"
          autoCapitalize="words"
          spellCheck={false}
          value={form.swimmer}
          error={errors.swimmer}
          disabled={isSending}
          onChange={({ currentTarget }) => form.setSwimmer(currentTarget.value)}
        />
        {last !== null && begin.swimmer === "" && (
          <Group gap={4} mt="xs">
            <Text size="sm" c="dimmed">
              Last time:
            </Text>
            <Button size="compact-sm" variant="subtle" disabled={isSending} onClick={() => form.setSwimmer(last)}>
              {last}
            </Button>
          </Group>
        )}
      </Paper>
      <Paper withBorder p="md">
        <SheetPicker
          way={way}
          onWay={setWay}
          files={
            <FileDrop
              title="Choose heat sheets, or drop them here"
              hint={`PDF, up to ${limits.maxMb} MB each`}
              accept={["application/pdf"]}
              disabled={isSending}
              onFiles={form.addFiles}
            />
          }
          addresses={
            <AddressField
              inputRef={addressInput}
              text={form.addresses}
              error={errors.addresses}
              disabled={isSending}
              onText={form.setAddresses}
              onAdd={form.addAddresses}
            />
          }
          page={
            <MeetPageField
              isChosen={(url) => form.sheets.some(({ id }) => id === ofUrl(url).id)}
              disabled={isSending}
              onChoose={form.addUrls}
              onLeave={form.removeUrls}
            />
          }
        />
        <Box mt="md" ref={list}>
          <ChosenList
            sheets={form.sheets}
            most={limits.maxSheets}
            error={errors.sheets}
            isWrong={isWrong}
            disabled={isSending}
            onRemove={form.removeSheet}
          />
        </Box>
      </Paper>
      <Paper withBorder p="md">
        <TextInput
          ref={emailInput}
          form={formId}
          type="email"
          label="Email (optional)"
          description={
            canMail
              ? "You get a message when the schedule is done. After that the address is erased."
              : "This server cannot send messages yet. Keep the link of the schedule to come back to it."
          }
          autoComplete="email"
          value={form.email}
          error={errors.email}
          disabled={isSending || !canMail}
          onChange={({ currentTarget }) => form.setEmail(currentTarget.value)}
        />
      </Paper>
      {errors.form !== undefined && (
        <ErrorNotice
          title="The heat sheets were not sent"
          error={new Error(errors.form)}
          onRetry={() => void form.submit()}
        />
      )}
      <SendBar onSubmit={() => void form.submit()} formId={formId} share={share} onStop={form.stop} />
    </Stack>
  );
}
