/** How long ago something was, kept true; the exact time is in its tooltip and for machines. */
import { Text, type TextProps } from "@mantine/core";
import { formatAgo, formatDateTime } from "./format.ts";
import { useNow } from "./use-now.ts";

export function Ago({ at, ...text }: { at: string } & TextProps) {
  const now = useNow(15_000);
  return (
    <Text component="time" dateTime={at} title={formatDateTime(at)} span inherit {...text}>
      {formatAgo(at, now)}
    </Text>
  );
}
