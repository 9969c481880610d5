/** Says that something did not arrive whose page is gone by then: whoever is signed out is led away from it. */
import { notifications } from "@mantine/notifications";
import type { ApiError } from "../api/request.ts";

export function sayNotSent({ status, message }: ApiError, title: string): void {
  if (status === 401) notifications.show({ title, message, color: "red", autoClose: false });
}
