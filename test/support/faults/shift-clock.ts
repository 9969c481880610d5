/** Loaded before a program (`--import`): its time of day is wrong by TEST_CLOCK_SHIFT_MS. How fast time passes stays right. */
const shiftMs = Number(process.env.TEST_CLOCK_SHIFT_MS);
const RightDate = Date;

class ShiftedDate extends RightDate {
  constructor(...given: ConstructorParameters<typeof Date> | []) {
    if (given.length === 0) super(RightDate.now() + shiftMs);
    else super(...given);
  }

  static override now(): number {
    return RightDate.now() + shiftMs;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
