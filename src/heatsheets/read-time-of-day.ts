/** Reads when something starts: "8:30 AM", "04:00 PM", "17:45" become HH:MM of 24 hours. */

const timeForm = /^(\d{1,2}):(\d{2}) ?(?:([AP])\.?M\.?)?$/i;

export function readTimeOfDay(text: string): string | undefined {
  const found = timeForm.exec(text.trim());
  if (!found) return undefined;
  const [, hours = "", minutes = "", half] = found;
  const hour = half === undefined ? Number(hours) : to24Hours(Number(hours), half.toUpperCase() === "P");
  if (hour === undefined || hour > 23 || Number(minutes) > 59) return undefined;
  return `${String(hour).padStart(2, "0")}:${minutes}`;
}

function to24Hours(hour: number, afternoon: boolean): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (afternoon ? 12 : 0);
}
