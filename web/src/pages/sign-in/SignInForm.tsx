/** The field for the key. It is sent to the server once and kept nowhere: from then on a cookie that no script can read stands for it. */
import { Button, Code, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Session } from "../../../../src/contract/access.ts";
import { signIn } from "../../api/access.ts";
import type { ApiError } from "../../api/request.ts";
import { describeSignInError } from "./describe-sign-in-error.ts";

export function SignInForm({ onSignedIn }: { onSignedIn(session: Session): void }) {
  const [key, setKey] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // The second half of a double click comes before the button is greyed.
    if (isSending) return;
    if (key.trim() === "") {
      setError("Paste a key first.");
      field.current?.focus();
      return;
    }
    setSending(true);
    setError(null);
    try {
      onSignedIn(await signIn(key.trim()));
    } catch (refusal) {
      setError(describeSignInError(refusal as ApiError));
      field.current?.select();
    } finally {
      setSending(false);
    }
  };

  return (
    // Posted even where the script has not come yet: a key has no place in an address.
    <form onSubmit={(event) => void submit(event)} method="post" noValidate>
      <Stack gap="md">
        <TextInput
          ref={field}
          type="password"
          label="API key"
          autoComplete="current-password"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          value={key}
          error={error}
          errorProps={{ role: "alert" }}
          onChange={({ currentTarget }) => setKey(currentTarget.value)}
        />
        <Button type="submit" loading={isSending}>
          Sign in
        </Button>
        <Text size="sm" c="dimmed" component="div">
          No key yet? Whoever runs this server makes one in the settings, or on its machine with
          <Code block mt={6} style={{ whiteSpace: "pre-wrap" }}>
            docmill keys create --name you --scope write
          </Code>
        </Text>
      </Stack>
    </form>
  );
}
