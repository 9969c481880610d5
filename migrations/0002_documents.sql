-- Documents: files with what was read from them, passages (chunks) with their vectors, and connections between passages.
--
-- A document's state is the state of its job: it is not stored a second time. What a run reads is written beside what
-- the last one read, under the next generation, and one transaction swaps the two when the passages are there.

create table documents (
  id               uuid primary key,
  filename         text not null,
  title            text,
  author           text,
  language         text,
  -- Unknown until a url has been fetched.
  format           text,
  content_type     text,
  size             bigint,
  sha256           text,
  source_url       text,
  -- Null until the file is in storage.
  blob_key         text,
  options          jsonb not null default '{}',
  -- The job that processes it or did so last.
  job_id           uuid not null,
  -- Which rows of the tables below count; 0 until the first run has got as far as passages.
  generation       integer not null default 0,
  -- The last one begun: every job that reads the document anew has its own.
  last_generation  integer not null default 1,
  page_count       integer,
  markdown_key     text,
  markdown_sha256  text,
  word_count       integer,
  -- [{level, title, page, offset}]
  outline          jsonb not null default '[]',
  chunk_count      integer not null default 0,
  field_count      integer not null default 0,
  table_count      integer not null default 0,
  -- What became of people's connections at the last swap.
  carried          jsonb,
  -- To the millisecond, as it travels: pages of a list begin after one of them.
  created_at       timestamptz(3) not null default now(),
  processed_at     timestamptz
);

create index documents_newest on documents (created_at desc, id desc);
create index documents_job on documents (job_id);

-- Pages, or sections of what has no pages (numbered the same way).
create table document_pages (
  document_id  uuid not null references documents (id) on delete cascade,
  generation   integer not null,
  page         integer not null,
  width        real,
  height       real,
  source       text not null check (source in ('text', 'ocr', 'model', 'azure', 'section')),
  -- json, not jsonb: it is written once, read whole and never looked into.
  words        json,
  blocks       json,
  markdown     text,
  primary key (document_id, generation, page)
);

create table document_fields (
  document_id  uuid not null references documents (id) on delete cascade,
  generation   integer not null,
  page         integer not null,
  position     integer not null,
  key          text not null,
  value        text not null,
  kind         text not null check (kind in ('text', 'date', 'amount', 'number', 'checkbox')),
  normalized   text,
  confidence   real not null check (confidence between 0 and 1),
  box          jsonb,
  source       text not null,
  primary key (document_id, generation, page, position)
);

create table document_tables (
  document_id  uuid not null references documents (id) on delete cascade,
  generation   integer not null,
  page         integer not null,
  position     integer not null,
  rows         jsonb not null,
  header_rows  integer not null,
  caption      text,
  box          jsonb,
  primary key (document_id, generation, page, position)
);

create table chunks (
  -- Derived from document, index and content: the same passage has the same id however often it is made.
  id            uuid primary key,
  document_id   uuid not null references documents (id) on delete cascade,
  index         integer not null,
  content       text not null,
  content_hash  text not null,
  heading_path  text[] not null,
  start_offset  integer not null,
  end_offset    integer not null,
  page_from     integer,
  page_to       integer,
  tokens        integer not null,
  search        tsvector not null,
  -- Deferred: a swap inserts the new passages before it lets the old ones go.
  unique (document_id, index) deferrable initially deferred
);

create index chunks_search on chunks using gin (search) with (fastupdate = off);

create table embedding_models (
  id          smallint generated always as identity primary key,
  name        text not null unique,
  dimensions  integer not null
);

-- The vectors as they are, whatever searches them: float32, little-endian.
create table chunk_vectors (
  model_id     smallint not null references embedding_models (id),
  chunk_id     uuid not null references chunks (id) on delete cascade,
  document_id  uuid not null,
  vector       bytea not null,
  -- By which readers find what was committed since they last looked.
  written_by   xid8 not null default pg_current_xact_id(),
  primary key (model_id, chunk_id)
);

-- Inline, so that a scan finds them where it is; one of a long model that does not fit a page goes elsewhere uncompressed.
alter table chunk_vectors alter column vector set storage external;
alter table chunk_vectors set (toast_tuple_target = 8160);
create index chunk_vectors_written on chunk_vectors (model_id, written_by);
create index chunk_vectors_chunk on chunk_vectors (chunk_id);
create index chunk_vectors_document on chunk_vectors (document_id);

create table connections (
  -- Derived from source, target and type.
  id                  uuid primary key,
  source_chunk_id     uuid not null references chunks (id) on delete cascade,
  target_chunk_id     uuid not null references chunks (id) on delete cascade,
  source_document_id  uuid not null references documents (id) on delete cascade,
  target_document_id  uuid not null references documents (id) on delete cascade,
  type                text not null
                      check (type in ('semantic_similarity', 'contradiction_detection', 'thematic_bridge')),
  strength            real not null check (strength between 0 and 1),
  -- Why: shared concepts, the words that oppose each other, the model's explanation.
  details             jsonb not null default '{}',
  user_validated      boolean,
  user_starred        boolean not null default false,
  created_at          timestamptz not null default now(),
  unique (source_chunk_id, target_chunk_id, type),
  check (source_chunk_id <> target_chunk_id),
  check (source_document_id <> target_document_id)
);

-- One connection a pair, whichever of the two was looked at first.
create unique index connections_pair
  on connections (least(source_chunk_id, target_chunk_id), greatest(source_chunk_id, target_chunk_id), type);
create index connections_target on connections (target_chunk_id);
create index connections_source_document on connections (source_document_id, strength desc, id);
create index connections_target_document on connections (target_document_id, strength desc, id);

-- How many paid calls may be under way at once, over all processes. A slot whose holder is no living worker is free.
create table call_slots (
  slot      integer primary key,
  holder    uuid,
  taken_at  timestamptz
);

-- The history of a document.
create index jobs_of_document on jobs ((input ->> 'documentId'), id)
  where kind in ('document', 'detect_connections', 'reembed_document');
