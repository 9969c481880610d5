/** A value as JSON that people can read and copy. */
import { ActionIcon, Box, Code, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

export function JsonBlock({ label, value }: { label: string; value: unknown }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <Box pos="relative">
      <Code block mah={420} tabIndex={0} role="region" aria-label={label} style={{ overflow: "auto" }}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <ActionIcon
            pos="absolute"
            top={6}
            right={6}
            variant="default"
            onClick={copy}
            aria-label={copied ? "Copied" : `Copy ${label}`}
          >
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </Box>
  );
}
