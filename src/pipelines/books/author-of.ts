/** The model where there is one, the rules otherwise. */
import type { BookServices } from "./book-services.ts";
import type { GuidelineAuthor } from "./guideline-author.ts";
import { openModelAuthor } from "./write-with-model.ts";
import { rulesAuthor } from "./write-with-rules.ts";

export function authorOf({ model }: Pick<BookServices, "model">): GuidelineAuthor {
  return model ? openModelAuthor(model) : rulesAuthor;
}
