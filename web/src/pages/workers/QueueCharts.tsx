/** The depth of the queue and the rates of the last hour, drawn. Fetched apart: the chart library outweighs the rest. */
import "@mantine/charts/styles.css";
import { AreaChart, LineChart } from "@mantine/charts";
import { SimpleGrid, Text, useComputedColorScheme } from "@mantine/core";
import type { ReactNode } from "react";
import type { Stats } from "../../../../src/contract/system.ts";
import { formatCount } from "../../parts/format.ts";
import { listMinutes } from "./list-minutes.ts";

const height = 210;

export default function QueueCharts({ stats }: { stats: Stats }) {
  const dark = useComputedColorScheme() === "dark";
  const minutes = listMinutes(stats);
  const shared = {
    h: height,
    data: minutes,
    dataKey: "time",
    withDots: false,
    curveType: "monotone",
    valueFormatter: formatCount,
    yAxisProps: { allowDecimals: false, width: 56 },
    xAxisProps: { interval: 14, minTickGap: 30 },
  } as const;
  return (
    // The table says the same.
    <SimpleGrid cols={{ base: 1, md: 2 }} aria-hidden>
      <Chart title="Unfinished jobs">
        <AreaChart
          {...shared}
          series={[{ name: "unfinished", label: "Unfinished", color: dark ? "mill.4" : "mill.7" }]}
          areaProps={{ isAnimationActive: false }}
          areaChartProps={{ accessibilityLayer: false }}
        />
      </Chart>
      <Chart title="Jobs a minute: came in (dashed) and ended">
        <LineChart
          {...shared}
          series={[
            { name: "created", label: "Came in", color: dark ? "yellow.4" : "orange.9", strokeDasharray: "5 4" },
            { name: "ended", label: "Ended", color: dark ? "mill.4" : "mill.7" },
          ]}
          lineProps={{ isAnimationActive: false }}
          lineChartProps={{ accessibilityLayer: false }}
        />
      </Chart>
    </SimpleGrid>
  );
}

function Chart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={500} mb={6}>
        {title}
      </Text>
      {children}
    </div>
  );
}
