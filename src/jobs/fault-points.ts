/**
 * Named places where the tests end or stop a process, to prove that it costs nothing. In production every one of them
 * is a call of an empty function.
 */
import type { MergedWrite } from "./job-writer.ts";

export type FaultPointName = "commit.before" | "commit.inside" | "commit.after";

export type FaultPoint = (name: FaultPointName, writes: readonly MergedWrite[]) => void | Promise<void>;

export const noFaults: FaultPoint = () => undefined;
