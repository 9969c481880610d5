/** The places of the web UI's navigation, in its order. */
export const everyPlace = [
  { label: "Home", path: "/" },
  { label: "Documents", path: "/documents" },
  { label: "Search", path: "/search" },
  { label: "Heat sheets", path: "/batches" },
  { label: "Books", path: "/books" },
  { label: "Jobs", path: "/jobs" },
  { label: "Workers", path: "/workers" },
  { label: "Settings", path: "/settings" },
] as const;
