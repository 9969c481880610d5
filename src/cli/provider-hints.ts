/** What another provider would add, and which setting brings it in: said the same way wherever providers are shown. */
export const providerHints = {
  database: "DATABASE_URL would use a PostgreSQL of your own, which workers on other machines can share",
  storage: "DOCMILL_STORAGE would keep files in S3 or Azure, where workers on other machines reach them",
  search: "pgvector, an extension of PostgreSQL, would search vectors in the database",
  ocr: "DOCMILL_OCR would have a language model or Azure read scans, DOCMILL_OCR_LANGUAGES adds languages",
  extraction: "DOCMILL_AZURE_DI_ENDPOINT would add Azure Document Intelligence",
  embeddings: "DOCMILL_EMBEDDINGS names a service for other languages",
  model: "DOCMILL_MODEL would add thematic bridges, read unknown heat sheets and write guidelines",
  mail: "DOCMILL_SMTP_URL would send messages when batches have ended",
  webhook: "DOCMILL_WEBHOOK_URL would tell a program of yours when batches have ended",
} as const;
