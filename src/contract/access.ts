/** Who may use the server: keys, the session of a browser, and the log of what was done with them. */
import { z } from "zod";

const timestamp = z.iso.datetime();

/** What a key may do. Each includes the ones before it. */
export const keyScopes = ["read", "write", "admin"] as const;
export const KeyScope = z
  .enum(keyScopes)
  .describe("`read` looks, `write` also creates and changes work, `admin` also manages keys and reads the audit log.")
  .meta({ id: "KeyScope" });
export type KeyScope = z.infer<typeof KeyScope>;

export const ApiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    scope: KeyScope,
    /** How the key begins, to tell it from others; the rest is not kept. */
    prefix: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
    expiresAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyList = z.object({ items: z.array(ApiKey) }).meta({ id: "ApiKeyList" });
export type ApiKeyList = z.infer<typeof ApiKeyList>;

export const NewApiKey = z
  .strictObject({
    name: z.string().trim().min(1).max(100).describe("Who or what will use it."),
    scope: KeyScope.default("write"),
    expiresInDays: z.int().min(1).max(3_650).optional().describe("Left out, it is good until it is revoked."),
  })
  .meta({ id: "NewApiKey" });
export type NewApiKey = z.input<typeof NewApiKey>;

export const CreatedApiKey = ApiKey.extend({
  key: z.string().describe("The key itself. It is shown this once and cannot be had again."),
}).meta({ id: "CreatedApiKey" });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

export const ApiKeyParams = z.object({ id: z.uuid().describe("The key's id.") });

export const SignIn = z
  .strictObject({ key: z.string().min(1).max(200).describe("An API key.") })
  .meta({ id: "SignIn" });
export type SignIn = z.infer<typeof SignIn>;

export const Session = z
  .object({
    /** Whether keys are asked for; without them everyone who reaches the server may do everything. */
    keysRequired: z.boolean(),
    /** Who is asking; null where keys are asked for and none was given. */
    user: z
      .object({
        /** Null where no key was given. */
        keyId: z.uuid().nullable(),
        /** The key's name; null where no key was given. */
        name: z.string().nullable(),
        scope: KeyScope,
        /** When the browser's session ends; null where there is none. */
        sessionEndsAt: timestamp.nullable(),
      })
      .nullable(),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof Session>;

export const AuditEntry = z
  .object({
    id: z.int(),
    at: timestamp,
    /** The name of the key; null where none was used. */
    actor: z.string().nullable(),
    address: z.string().nullable(),
    action: z.string(),
    /** The id or name of what it was done to. */
    target: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditQuery = z.object({
  limit: z.coerce.number<number>().int().min(1).max(200).default(50).describe("How many at most."),
  before: z.coerce.number<number>().int().min(1).optional().describe("Entries older than the one with this id."),
});

export const AuditList = z
  .object({ items: z.array(AuditEntry), nextBefore: z.int().nullable() })
  .meta({ id: "AuditList" });
export type AuditList = z.infer<typeof AuditList>;
