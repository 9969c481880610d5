/** Names of fields and tables on this page: they have no ids, but an order that does not change. */
export const fieldKey = (index: number) => `field-${index}`;
export const tableKey = (index: number) => `table-${index}`;
