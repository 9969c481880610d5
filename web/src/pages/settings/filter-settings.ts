/** Which settings are shown. */
import type { SystemInfo } from "../../../../src/contract/system.ts";

export type Setting = SystemInfo["settings"][number];

export const settingGroups = {
  all: { label: "All", holds: () => true },
  given: { label: "Set by you", holds: ({ origin }: Setting) => origin !== "default" },
  limits: {
    label: "Limits",
    holds: ({ env }: Setting) => /MAX|CONCURREN|TIMEOUT|MEMORY|CONNECTIONS|THREADS|DAYS|CALLS/.test(env),
  },
} as const;
export type SettingGroup = keyof typeof settingGroups;

/** Those of the group in which every word stands, wherever: in the name, the value or the meaning. */
export function filterSettings(settings: readonly Setting[], group: SettingGroup, search: string): Setting[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter((setting) => {
    const text = `${setting.env} ${setting.value ?? ""} ${setting.meaning}`.toLowerCase();
    return settingGroups[group].holds(setting) && words.every((word) => text.includes(word));
  });
}
