/** On which account a line is booked: the one whose description is nearest to it. */

export const accounts = [
  { account: "0700 Machines", description: "booster pump, compressor, motor, machine" },
  { account: "3000 Material", description: "gate valve, pipe, length of pipe, pressure sensor, gauge, cast iron" },
  { account: "3100 Services bought", description: "hours of work, fitting and testing, repair" },
];

/** `known` are the vectors of the accounts, in their order. */
export function chooseAccount(line: Float32Array, known: readonly Float32Array[]): string {
  const nearest = known
    .map((vector, index) => ({ index, cosine: vector.reduce((sum, value, at) => sum + value * (line[at] ?? 0), 0) }))
    .sort((a, b) => b.cosine - a.cosine)[0];
  return accounts[nearest?.index ?? 0]?.account ?? "";
}
