/** Light, dark, or as the system has it. */
import { ActionIcon, Menu, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";

const schemes = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "As the system", icon: IconDeviceDesktop },
] as const;

export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { icon: Current, label: current } = schemes.find(({ value }) => value === colorScheme) ?? schemes[2];
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon size="lg" color="gray" aria-label={`Colours: ${current}`}>
          <Current size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} aria-hidden />}
            rightSection={value === colorScheme ? <IconCheck size={16} aria-label="in use" /> : undefined}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
