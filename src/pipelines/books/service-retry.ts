/** What a service refuses for the moment is asked for again after 2, 4, 8 and 16 s: five attempts in all. */
export const serviceRetry = { attempts: 5, baseMs: 2_000, factor: 2 };
