/**
 * A small bar chart in plain SVG. It stands on the first page, whose JavaScript has to stay small: the chart library would
 * weigh more than half of all the rest. What it shows is said in words to those who cannot see it.
 */
import classes from "./BarSpark.module.css";

export interface BarSparkProps {
  /** Oldest first. */
  values: readonly number[];
  /** What it shows, in a sentence, numbers included. */
  label: string;
  /** Said of a bar that is pointed at. */
  describe(value: number, place: number): string;
  height?: number;
}

const top = 100;
/** Of the width of a bar's place. */
const barWidth = 0.72;

export function BarSpark({ values, label, describe, height = 64 }: BarSparkProps) {
  const most = Math.max(...values, 1);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length} ${top}`}
      preserveAspectRatio="none"
      width="100%"
      height={height}
      display="block"
    >
      {values.map((value, place) => {
        const filled = (value / most) * top;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place; only its height changes.
          <g key={place}>
            <rect
              className={classes.bar}
              x={place + (1 - barWidth) / 2}
              y={top - filled}
              width={barWidth}
              height={filled}
            />
            <rect className={classes.reach} x={place} y={0} width={1} height={top}>
              <title>{describe(value, place)}</title>
            </rect>
          </g>
        );
      })}
      <line className={classes.ground} x1={0} x2={values.length} y1={top} y2={top} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
