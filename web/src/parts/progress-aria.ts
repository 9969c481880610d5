/** What a bar says to those who do not see it. Mantine's own sections say a percentage with all its decimals, and nothing else. */
export function progressAria(label: string, percent: number, text: string) {
  return {
    withAria: false,
    role: "progressbar",
    "aria-label": label,
    "aria-valuemin": 0,
    "aria-valuemax": 100,
    "aria-valuenow": Math.round(percent),
    "aria-valuetext": text,
  };
}
