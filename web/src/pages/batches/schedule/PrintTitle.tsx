/** What a printed schedule begins with, as the page's own head is not printed. */
import { Text, Title } from "@mantine/core";
import styles from "./Schedule.module.css";

export function PrintTitle({ swimmer, meets }: { swimmer: string; meets: readonly string[] }) {
  return (
    <div className={styles.printOnly}>
      <Title order={2}>{swimmer}</Title>
      {meets.map((meet) => (
        <Text key={meet}>{meet}</Text>
      ))}
    </div>
  );
}
