/** `/api/stream`: the present of the whole server as it changes, for lists that are live. */
import { once } from "node:events";
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import type { ActivityNews, ActivityWatcher } from "../../jobs/watch-activity.ts";
import type { App } from "../routing.ts";
import { type SseAnswers, type SseConnection, sseMessage } from "../sse-answers.ts";

const stream = createRoute({
  method: "get",
  path: "/api/stream",
  summary: "What goes on in the whole server, as server-sent events",
  description:
    "`activity`: the counts of /api/stats, the jobs that have changed as /api/jobs gives them, and whether these are all " +
    "(`complete`); at once, and then whenever something has changed, at most once a second. `workers`: what /api/workers " +
    "gives, at once and whenever it has changed. Nothing is replayed: whoever comes back gets the present, and where " +
    "`complete` is false asks again for the lists it shows.",
  responses: { 200: { description: "The stream", content: { "text/event-stream": { schema: z.string() } } } },
});

export function activityStreamRoutes(app: App, watcher: ActivityWatcher, answers: SseAnswers): void {
  /** All readers are told the same: it is written down once. */
  const texts = new WeakMap<object, string>();
  const textOf = ({ type, data }: ActivityNews) => {
    const text = texts.get(data) ?? sseMessage(type, data);
    texts.set(data, text);
    return text;
  };

  app.openapi(stream, (c) => answers.answer(c.env, (connection) => tellUntilGone(connection)));

  async function tellUntilGone(connection: SseConnection): Promise<void> {
    if (connection.signal.aborted) return;
    const gone = once(connection.signal, "abort");
    const leave = watcher.join({
      get hasRoom() {
        return connection.hasRoom;
      },
      tell: (news) => connection.write(textOf(news)),
    });
    await gone;
    leave();
  }
}
