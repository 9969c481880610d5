/** One request to one resolved target: connects to the addresses that were checked and to no others. */
import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { DocmillError, RetryableError, TerminalError } from "../errors.ts";
import type { Target } from "./resolve-target.ts";

export function requestTarget(
  { url, addresses }: Target,
  { accept, signal }: { accept: string; signal: AbortSignal },
): Promise<http.IncomingMessage> {
  // What was checked is what is connected to; a second lookup could give another answer.
  const lookup: LookupFunction = (_host, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, [...addresses]);
    else done(null, first?.address ?? "", first?.family);
  };
  return new Promise((resolve, reject) => {
    const options = {
      lookup,
      // The default of a quarter of a second gives up on hosts that are merely far away.
      autoSelectFamilyAttemptTimeout: 2_000,
      signal,
      headers: { accept, "accept-encoding": "identity", "user-agent": "docmill" },
    };
    // An agent of its own: a connection kept alive from elsewhere would not have been checked here.
    const sent =
      url.protocol === "https:"
        ? https.request(url, { ...options, agent: new https.Agent({ keepAlive: false }) })
        : http.request(url, { ...options, agent: new http.Agent({ keepAlive: false }) });
    sent.once("response", (response) => {
      // Read or not, a connection that breaks must not end the process; whoever reads is told.
      response.on("error", () => undefined);
      // What is wrong with the rest of an answer is said of the request, and the reader would hear of a cut line only.
      sent.on("error", (error) => response.destroy(error));
      resolve(response);
    });
    sent.once("upgrade", (_response, socket) => {
      socket.destroy();
      reject(new TerminalError("BAD_RESPONSE", "The server wants to speak another protocol than HTTP."));
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** The typed form of what a connection died of, with the socket's error as its cause. */
export function connectionError(error: unknown): DocmillError {
  if (error instanceof DocmillError) return error;
  const code = codeOf(error) ?? "unknown error";
  const options = { cause: error };
  if (code.startsWith("HPE_")) {
    return new TerminalError("BAD_RESPONSE", "The server's answer is not valid HTTP.", options);
  }
  if (certificateCodes.test(code)) {
    return new TerminalError("TLS_ERROR", `The server's certificate cannot be trusted (${code}).`, options);
  }
  return new RetryableError("NETWORK_ERROR", `The server could not be reached, or the connection broke (${code}).`, {
    cause: error,
  });
}

const certificateCodes = /^(CERT_|ERR_TLS_CERT|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/;

function codeOf(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}
