/**
 * Stands before every route: tells who is asking, refuses those who may not, and those who ask too often. A wrong key
 * costs its sender time, each one more, and after a number of them wrong ones are refused at once for a while; who has a
 * right one is never kept out by somebody at the same address who has not.
 */
import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler, Next } from "hono";
import type { Access, Credential } from "../../access/access.ts";
import { anyone, type Identity, mayDo } from "../../access/identity.ts";
import { createRateLimiter, type RateLimiter } from "../../access/rate-limiter.ts";
import { DocmillError } from "../../errors.ts";
import type { Logger } from "../../logger.ts";
import type { ClientAddress } from "./client-address.ts";
import { isShared, makesWork, neededScope } from "./needed-scope.ts";
import { readSessionCookie } from "./session-cookie.ts";

export interface GuardOptions {
  access: Access;
  clientAddress: ClientAddress;
  /** Requests that make work, a minute, for each key or address; left out, there is no limit. */
  ratePerMinute?: number;
  logger: Logger;
}

export interface Guard {
  middleware: MiddlewareHandler;
  /** Who asks; undefined where a key is needed and none was given. Throws on a key that is wrong. */
  whoIs(c: Context): Promise<Identity | undefined>;
  /** Looks at a key that somebody signs in with. Throws WRONG_KEY, RATE_LIMITED. */
  checkSignIn(c: Context, key: string): Promise<Identity>;
  addressOf(c: Context): string;
  /** Whether who opened this request would still be let in. */
  mayStay(incoming: IncomingMessage): Promise<boolean>;
}

const wrongKeysPerMinute = 10;
const signInsPerMinute = 60;
const guessesPerMinute = 60;
const firstDelayMs = 250;
const longestDelayMs = 2_000;

export function createGuard({ access, clientAddress, ratePerMinute, logger }: GuardOptions): Guard {
  const writes = ratePerMinute === undefined ? undefined : createRateLimiter(ratePerMinute);
  const wrongKeys = createRateLimiter(wrongKeysPerMinute);
  const signIns = createRateLimiter(signInsPerMinute);
  const guesses = createRateLimiter(guessesPerMinute);
  /** What was shown to get in, of requests that may stay open for long. */
  const credentials = new WeakMap<IncomingMessage, Credential | undefined>();
  const addressOf = (c: Context) => clientAddress(c.env.incoming);

  const refuseIfOften = (limiter: RateLimiter, who: string, what: string) => {
    const seconds = limiter.take(who);
    if (seconds === 0) return;
    const message = `Too many ${what}. Try again in ${seconds} s.`;
    throw new DocmillError("RATE_LIMITED", message, { details: { retryAfterSeconds: seconds } });
  };

  const checkKey = async (c: Context, key: string): Promise<Identity> => {
    const identity = await access.identify({ key });
    if (identity) return identity;
    const address = addressOf(c);
    refuseIfOften(wrongKeys, address, "wrong keys from this address");
    logger.warn({ address }, "wrong key");
    // Somebody who guesses waits, each time longer; somebody who mistyped hardly notices.
    const delayMs = Math.min(firstDelayMs * 2 ** (wrongKeys.used(address) - 1), longestDelayMs);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    throw new DocmillError("WRONG_KEY", "This key is wrong, was revoked or has expired. docmill keys list shows them.");
  };

  /** A session that is over is no offence: the page asks for the key again. */
  const identify = async (credential: Credential | undefined): Promise<Identity | undefined> =>
    (credential && (await access.identify(credential))) ?? (access.keysRequired ? undefined : anyone);

  const whoIs = async (c: Context): Promise<Identity | undefined> => {
    const credential = readCredential(c);
    return credential && "key" in credential ? checkKey(c, credential.key) : identify(credential);
  };

  /** Whoever tries codes until one is right has tried many that are not. */
  const slowGuesses = async (c: Context, next: Next): Promise<void> => {
    const address = addressOf(c);
    if (guesses.used(address) >= guessesPerMinute) refuseIfOften(guesses, address, "codes that lead nowhere");
    await next();
    if (c.res.status === 404) guesses.take(address);
  };

  return {
    async checkSignIn(c, key) {
      const identity = await checkKey(c, key);
      refuseIfOften(signIns, identity.keyId ?? addressOf(c), "sign-ins with this key");
      return identity;
    },
    whoIs,
    addressOf,
    async mayStay(incoming) {
      const credential = credentials.get(incoming);
      return (await identify(credential)) !== undefined;
    },
    async middleware(c, next) {
      const { method, path } = c.req;
      const needed = neededScope(method, path);
      if (needed === undefined) return isShared(path) ? slowGuesses(c, next) : next();
      const identity = await whoIs(c);
      if (!identity) {
        const message =
          "This server asks for an API key: send it as Authorization: Bearer …, or sign in. docmill keys create makes one.";
        throw new DocmillError("UNAUTHORIZED", message);
      }
      if (!mayDo(identity, needed)) {
        const message = `The key "${identity.name}" is of scope ${identity.scope}; this needs one of scope ${needed}.`;
        throw new DocmillError("FORBIDDEN", message, { details: { needs: needed, has: identity.scope } });
      }
      if (writes && makesWork(method, path)) {
        refuseIfOften(writes, identity.keyId ?? addressOf(c), "requests that make work");
      }
      credentials.set(c.env.incoming, readCredential(c));
      c.set("identity", identity);
      return next();
    },
  };
}

/** A key wins over a session: a program says on purpose who it is. */
function readCredential(c: Context): Credential | undefined {
  const [, key] = /^Bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "") ?? [];
  if (key !== undefined) return { key };
  const token = readSessionCookie(c);
  return token === undefined ? undefined : { token };
}
