/** A thread that compares queries with its share of a matrix. */
import { serveTasks } from "../../threads/serve-tasks.ts";
import { compareRows } from "./compare-rows.ts";

const tasks = { compareRows };

export type CompareTasks = typeof tasks;

serveTasks(tasks);
