-- Books: ordered page scans with their text, and the teaching guidelines made of them.
--
-- The state of a book's jobs is the engine's. Which pages a subtopic covers follows from the pages' own rows, so that a
-- page that is removed or renumbered is so everywhere at once.

create table books (
  id            uuid primary key,
  title         text not null,
  author        text,
  grade         text,
  subject       text,
  board         text,
  -- The number in the names of the next page's files. It only counts up: a name is never used for another page.
  next_file     integer not null default 1,
  -- Who is bringing pages in right now, and until when that counts without a sign of life.
  upload_token  uuid,
  upload_until  timestamptz,
  -- To the millisecond, as it travels.
  created_at    timestamptz(3) not null default now()
);

create index books_newest on books (created_at desc, id desc);

create table book_pages (
  id              uuid primary key,
  book_id         uuid not null references books (id) on delete cascade,
  page_num        integer not null check (page_num > 0),
  -- The number in the names of its own files.
  file_num        integer not null,
  filename        text not null,
  -- As it came in; the page within it, where a file has several.
  raw_key         text not null,
  raw_format      text not null,
  raw_part        integer not null default 1,
  -- The scan as PNG and its text; null until they are there.
  image_key       text,
  text_key        text,
  status          text not null default 'pending_review' check (status in ('pending_review', 'approved')),
  ocr_status      text not null default 'pending' check (ocr_status in ('pending', 'processing', 'completed', 'failed')),
  ocr_error       text,
  ocr_error_type  text check (ocr_error_type in ('retryable', 'terminal')),
  uploaded_at     timestamptz not null default now(),
  approved_at     timestamptz,
  check ((ocr_status = 'failed') = (ocr_error is not null)),
  check (ocr_status <> 'completed' or text_key is not null),
  check ((status = 'approved') = (approved_at is not null)),
  -- Deferred: pages are renumbered by one statement after the other.
  unique (book_id, page_num) deferrable initially deferred
);

create table subtopics (
  id              uuid primary key,
  book_id         uuid not null references books (id) on delete cascade,
  topic_key       text not null,
  topic_title     text not null,
  subtopic_key    text not null,
  subtopic_title  text not null,
  summary         text not null,
  guidelines      text not null,
  status          text not null check (status in ('open', 'stable', 'final', 'needs_review', 'approved')),
  version         integer not null default 1,
  confidence      real not null check (confidence between 0 and 1),
  provenance      text not null check (provenance in ('model', 'rules')),
  -- A person has written in it: nothing else writes over that.
  edited          boolean not null default false,
  key_terms       text[] not null default '{}',
  -- The mean of its pages' vectors, as float32; null where there is none.
  vector          bytea,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  unique (book_id, topic_key, subtopic_key) deferrable initially deferred
);

-- What guideline extraction made of a page. A page with a row here is done.
create table page_guidelines (
  page_id      uuid primary key references book_pages (id) on delete cascade,
  book_id      uuid not null references books (id) on delete cascade,
  -- Null for a page that teaches nothing: a blank one, a table of contents.
  subtopic_id  uuid references subtopics (id) on delete set null,
  decision     text not null check (decision in ('new', 'continue', 'skip')),
  reason       text not null,
  summary      text not null,
  -- What the page contributes to its subtopic, and of a contents page its entries.
  parts        jsonb not null,
  contents     jsonb not null default '[]',
  provenance   text not null check (provenance in ('model', 'rules')),
  created_at   timestamptz not null default now()
);

create index page_guidelines_of_book on page_guidelines (book_id);
create index page_guidelines_of_subtopic on page_guidelines (subtopic_id) where subtopic_id is not null;

-- Where finished guidelines are handed on to: what a teaching application reads.
create table teaching_guidelines (
  id                 uuid primary key,
  book_id            uuid not null references books (id) on delete cascade,
  grade              text,
  subject            text,
  board              text,
  topic_key          text not null,
  topic_title        text not null,
  subtopic_key       text not null,
  subtopic_title     text not null,
  summary            text not null,
  guideline          text not null,
  source_page_start  integer not null,
  source_page_end    integer not null,
  status             text not null,
  version            integer not null,
  synced_at          timestamptz not null,
  unique (book_id, topic_key, subtopic_key)
);

-- The history of a book.
create index jobs_of_book on jobs ((input ->> 'bookId'), id) where kind in ('ocr_batch', 'extraction', 'finalization');
