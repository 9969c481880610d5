/** `/api/stream`: the present of the whole server as it changes, for lists that are live. */
import { once } from "node:events";
import type { ActivityNews, ActivityWatcher } from "../../jobs/watch-activity.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";
import { type SseAnswers, type SseConnection, sseMessage } from "../sse-answers.ts";

export function activityStreamRoutes(app: App, watcher: ActivityWatcher, answers: SseAnswers): void {
  /** All readers are told the same: it is written down once. */
  const texts = new WeakMap<object, string>();
  const textOf = ({ type, data }: ActivityNews) => {
    const text = texts.get(data) ?? sseMessage(type, data);
    texts.set(data, text);
    return text;
  };

  app.openapi(routeOf("watchActivity"), (c) => answers.answer(c.env, (connection) => tellUntilGone(connection)));

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
