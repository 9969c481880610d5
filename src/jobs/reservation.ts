/**
 * A job that was claimed ahead of its start: it is in a hold of this worker's, and its own row still says that it waits.
 * The first write that is made for it takes it out; a hold that all have left is of no use to anyone.
 */

/** A row of `holds`, as its worker knows it. */
export interface Hold {
  readonly id: string;
  /** How many of its jobs have no write of their own yet. */
  left: number;
  /** Told when there are none. */
  readonly onEmpty: (id: string) => void;
}

export interface Reservation {
  readonly hold: Hold;
  /** When the job was started here; 0 while it waits for a slot. */
  startedAt: number;
  /** Whether a write for it is on its way, which will say that it was started. */
  toldSoon: boolean;
}

/** For one whose row no longer says that it is reserved, whoever wrote it. */
export function leaveHold(handle: { reservation: Reservation | undefined }): void {
  const { reservation } = handle;
  if (!reservation) return;
  handle.reservation = undefined;
  reservation.hold.left--;
  if (reservation.hold.left === 0) reservation.hold.onEmpty(reservation.hold.id);
}

export function msSinceStart({ startedAt }: Reservation): number {
  return startedAt === 0 ? 0 : performance.now() - startedAt;
}
