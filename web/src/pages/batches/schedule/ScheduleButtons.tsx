/** What is done with a schedule: print it, put it into a calendar, pass it on. */
import { Button, Menu } from "@mantine/core";
import { IconCalendarPlus, IconPrinter } from "@tabler/icons-react";
import { CopyLink } from "../CopyLink.tsx";

export interface ScheduleButtonsProps {
  /** Where the schedule is shown. */
  path: string;
  /** The calendar file with a reminder so many minutes before; left out where there is none. */
  calendar?: (minutes: string) => string;
}

const reminders = ["5", "10", "15"];

export function ScheduleButtons({ path, calendar }: ScheduleButtonsProps) {
  return (
    <>
      <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => globalThis.print()}>
        Print
      </Button>
      {calendar && (
        <Menu position="bottom-end" withArrow>
          <Menu.Target>
            <Button variant="default" leftSection={<IconCalendarPlus size={16} aria-hidden />}>
              Calendar
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>Calendar file with a reminder</Menu.Label>
            {reminders.map((minutes) => (
              <Menu.Item key={minutes} component="a" href={calendar(minutes)} download="schedule.ics">
                {minutes} minutes before each start
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <CopyLink path={path} about="this schedule" />
    </>
  );
}
