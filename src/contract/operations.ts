/** Every operation of the API by its id: what routes, description and client are made from. */
import { accessOperations } from "./access-operations.ts";
import { batchOperations } from "./batch-operations.ts";
import { bookOperations } from "./book-operations.ts";
import { bookPageOperations } from "./book-page-operations.ts";
import { documentOperations } from "./document-operations.ts";
import { documentResultOperations } from "./document-result-operations.ts";
import { jobOperations } from "./job-operations.ts";
import { systemOperations } from "./system-operations.ts";

export type Operations = typeof documentOperations &
  typeof documentResultOperations &
  typeof batchOperations &
  typeof bookOperations &
  typeof bookPageOperations &
  typeof jobOperations &
  typeof systemOperations &
  typeof accessOperations;
export type OperationId = keyof Operations;

/** With its type named, the declarations that users of the client get have each of them once. */
export const operations: Operations = {
  ...documentOperations,
  ...documentResultOperations,
  ...batchOperations,
  ...bookOperations,
  ...bookPageOperations,
  ...jobOperations,
  ...systemOperations,
  ...accessOperations,
};
