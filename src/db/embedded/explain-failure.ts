/**
 * Turns what the system and PostgreSQL's programs say when they fail into an error with a code and the next step.
 * The programs only give text; this is the one place that reads it, and their messages are kept in English for it.
 */
import { DocmillError } from "../../errors.ts";

/** What went wrong with a file or folder of the data folder; any other error is given back as it is. */
export function explainFileError(error: unknown, path: string): unknown {
  if (error instanceof DocmillError || (error as NodeJS.ErrnoException | null)?.syscall === undefined) return error;
  const { code, path: at = path } = error as NodeJS.ErrnoException;
  switch (code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new DocmillError(
        "DATA_DIR_NOT_WRITABLE",
        `Docmill may not write to ${at}${code === "EROFS" ? ", which is on a read-only file system" : whoWeAre()}. Give this user the folder (chown -R), or choose another one with --data-dir.`,
        { cause: error },
      );
    case "EEXIST":
    case "ENOTDIR":
      return new DocmillError(
        "DATA_DIR_NOT_A_FOLDER",
        `${at} is not a folder. Move that file away, or choose another data folder with --data-dir.`,
        { cause: error },
      );
    case "ENOSPC":
    case "EDQUOT":
      return diskFull(path, error);
    case "ENAMETOOLONG":
      return new DocmillError("DATA_DIR_TOO_LONG", `The path ${path} is too long. Choose a shorter --data-dir.`, {
        cause: error,
      });
    default:
      return new DocmillError(
        "DATA_DIR_UNUSABLE",
        `The data folder ${path} cannot be used (${messageOf(error)}). Choose another one with --data-dir, or set DATABASE_URL.`,
        { cause: error },
      );
  }
}

/** What went wrong with initdb or postgres, judged by what they printed. */
export function explainServerFailure(what: "initdb" | "postgres", output: string, folder: string): DocmillError {
  const cause = new Error(lastLines(output) || `${what} printed nothing`);
  if (/No space left on device|Disk quota exceeded/.test(output)) return diskFull(folder, cause);
  if (/Permission denied|Read-only file system|Operation not permitted|has wrong ownership/.test(output)) {
    return new DocmillError(
      "DATA_DIR_NOT_WRITABLE",
      `PostgreSQL may not use ${folder}${whoWeAre()}: ${complaint(output)}. Give this user the folder (chown -R), or choose another one with --data-dir.`,
      { cause },
    );
  }
  if (/Cannot allocate memory|could not (create|map|resize) .*shared memory/.test(output)) {
    return new DocmillError(
      "EMBEDDED_OUT_OF_MEMORY",
      `PostgreSQL did not get the memory it needs: ${complaint(output)}. Free some memory, or set DATABASE_URL to a server elsewhere.`,
      { cause },
    );
  }
  if (/error while loading shared libraries|cannot execute|Library not loaded|GLIBC/.test(output)) {
    return new DocmillError(
      "EMBEDDED_BINARIES_BROKEN",
      `PostgreSQL's ${what} does not run on this system: ${complaint(output)}. Install the missing library, or set DATABASE_URL to a server elsewhere.`,
      { cause },
    );
  }
  return new DocmillError(
    "EMBEDDED_START_FAILED",
    `PostgreSQL's ${what} failed: ${complaint(output)}. ${what === "postgres" ? `Its log is ${folder}/server.log.` : "Run docmill doctor for a check of this system."}`,
    { cause },
  );
}

function diskFull(path: string, cause: unknown): DocmillError {
  return new DocmillError(
    "DISK_FULL",
    `There is no space left on the disk of ${path}. Free some (a new database takes about 60 MB) and start again; nothing that was saved is lost.`,
    { cause },
  );
}

/** The line that says why, without its time stamp. */
function complaint(output: string): string {
  const lines = lastLines(output).split("\n");
  const telling =
    lines.findLast((line) => /\b(PANIC|FATAL):/.test(line)) ?? lines.findLast((line) => /error:|could not/i.test(line));
  const line = telling ?? lines.at(-1) ?? "";
  return (
    line.replace(/^.*?\b(PANIC|FATAL|initdb: error|error):\s*/, "").replace(/\.$/, "") || "it ended without a word"
  );
}

function lastLines(output: string): string {
  return output.trim().split("\n").slice(-20).join("\n");
}

function whoWeAre(): string {
  const uid = process.getuid?.();
  return uid === undefined ? "" : ` as the user with id ${uid}`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
