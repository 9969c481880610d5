-- Heat sheets: batches of them for one swimmer, what was read from each file, and the results that are shared.
--
-- A batch's and a sheet's state is the engine's and not stored a second time. What was read from a file is kept by the
-- file's content, so that another swimmer, another batch or another name of the file finds it.

create table heat_batches (
  batch_id      uuid primary key references batches (id) on delete cascade,
  swimmer_name  text not null,
  -- The name without case, accents and order.
  swimmer_key   text not null,
  -- 'auto': the parser, and a model only for layouts it does not know. 'ai': the model.
  extractor     text not null check (extractor in ('auto', 'ai')),
  -- Erased when the message has been sent.
  notify_email  text,
  expires_at    timestamptz not null
);

create index heat_batches_expired on heat_batches (expires_at);

-- One file or url of a batch; its job has the same sequence.
create table heat_sources (
  job_id       uuid primary key,
  batch_id     uuid not null references heat_batches (batch_id) on delete cascade,
  sequence     integer not null,
  filename     text not null,
  source_url   text,
  -- Null until a url has been fetched. Kept until the batch expires, so that a retry has its file.
  blob_key     text,
  size         bigint,
  sha256       text,
  -- What was noticed although the sheet failed: names that are nearly the swimmer's.
  warnings     text[] not null default '{}'
);

create unique index heat_sources_of_batch on heat_sources (batch_id, sequence);
create index heat_sources_blob on heat_sources (blob_key) where blob_key is not null;

-- Sheets as read, by content: the same file for another swimmer is not read again.
create table heat_sheets (
  sha256        text not null,
  reader        integer not null,
  -- json and text, not jsonb: written once, read whole.
  sheet         json not null,
  plan          json not null,
  content       text not null,
  last_used_at  timestamptz not null,
  primary key (sha256, reader)
);

create index heat_sheets_unused on heat_sheets (last_used_at);

-- A swimmer's swims in a sheet, by content, name and whoever read it.
create table heat_extractions (
  sha256        text not null,
  swimmer_key   text not null,
  extractor     text not null,
  facts         jsonb not null,
  swims         jsonb not null,
  warnings      text[] not null,
  last_used_at  timestamptz not null,
  primary key (sha256, swimmer_key, extractor)
);

create index heat_extractions_unused on heat_extractions (last_used_at);

-- What a sheet gave for a batch, under the code by which it is shared. It stands on its own: what it was made from may go.
create table heat_results (
  code        text primary key,
  job_id      uuid not null unique references heat_sources (job_id) on delete cascade,
  batch_id    uuid not null references heat_batches (batch_id) on delete cascade,
  -- {kind, meetName, meetDates, sessionDate, sessionName, venue, printedAt}
  facts       jsonb not null,
  swims       jsonb not null,
  warnings    text[] not null,
  -- How long its heats take, and of a timeline when sessions start: for start times that are not printed.
  plan        jsonb not null,
  sessions    jsonb not null,
  cached      boolean not null,
  views       integer not null default 0,
  created_at  timestamptz not null
);

create index heat_results_of_batch on heat_results (batch_id);
