/** What a model costs, as its provider's price list says it. */
export interface Prices {
  /** For a million tokens, in the currency the provider bills in. */
  inputPerMillion: number;
  outputPerMillion?: number;
}

/** In millionths of that currency: a price for a million tokens is just that for one. */
export function costMicros(prices: Prices | undefined, tokensIn = 0, tokensOut = 0): number | undefined {
  return prices && Math.round(tokensIn * prices.inputPerMillion + tokensOut * (prices.outputPerMillion ?? 0));
}
